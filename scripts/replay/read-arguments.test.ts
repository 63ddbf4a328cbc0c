import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readArguments } from './read-arguments.ts'

describe('readArguments', () => {
  test('needs only a file and a token', () => {
    const options = readArguments(['ride.fit'], { TRACKPRESS_TOKEN: 'trk_env' })

    assert.deepEqual(options, {
      path: 'ride.fit',
      speed: 60,
      batchSec: 10,
      isLossy: false,
      seed: 1,
      url: 'http://localhost:8080',
      token: 'trk_env',
    })
  })

  test('accepts every option, in both spellings, before and after the file', () => {
    const args = ['--speed=max', '--lossy', 'run.gpx', '--batch-sec', '2.5', '--seed', '7', '--token', 'trk_given']

    const options = readArguments([...args, '--url', 'https://tracks.example/base/'], { TRACKPRESS_TOKEN: 'trk_env' })

    assert.deepEqual(options, {
      path: 'run.gpx',
      speed: Number.POSITIVE_INFINITY,
      batchSec: 2.5,
      isLossy: true,
      seed: 7,
      url: 'https://tracks.example/base',
      token: 'trk_given',
    })
  })

  test('accepts a file of any name after --', () => {
    const options = readArguments(['--token', 'trk_a', '--', '--lossy'], {})

    assert.equal(options?.path, '--lossy')
    assert.equal(options?.isLossy, false)
  })

  test('returns undefined for help, despite other mistakes', () => {
    assert.equal(readArguments(['--help', '--speed'], {}), undefined)
    assert.equal(readArguments(['-h'], {}), undefined)
  })

  test('reports all mistakes together', () => {
    const args = [
      '--speed',
      'fast',
      '--bogus',
      '-x',
      '--batch-sec=0',
      '--seed=-1',
      '--url',
      'localhost:80',
      '--lossy=1',
    ]

    const message = messageOf(() => readArguments(args, {}))

    assert.deepEqual(
      message.split('\n').filter((line) => line.startsWith('- ')),
      [
        '- one file is needed, 0 are given',
        '- --bogus is not an option',
        '- -x is not an option',
        '- --lossy takes no value',
        '- --speed must be a number over 0, or max (it is "fast")',
        '- --batch-sec must be a number of seconds over 0 (it is "0")',
        '- --seed must be a whole number of at most nine digits (it is "-1")',
        '- --url must be an http or https address (it is "localhost:80")',
        '- an app token is needed, as --token or in the variable TRACKPRESS_TOKEN. To get one, on the server:',
      ],
    )
  })

  test('refuses an option without its value, and a second file', () => {
    const message = messageOf(() => readArguments(['a.fit', 'b.fit', '--token', 'trk_a', '--speed'], {}))

    assert.match(message, /one file is needed, 2 are given/)
    assert.match(message, /--speed needs a value/)
  })

  test('explains how to get a token if there is none', () => {
    const message = messageOf(() => readArguments(['a.fit'], { TRACKPRESS_TOKEN: ' ' }))

    assert.match(message, /admin -- events list\n.*admin -- events token <id>/)
  })
})

function messageOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}
