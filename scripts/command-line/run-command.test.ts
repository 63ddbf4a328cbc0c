import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exitCodeOf } from './run-command.ts'

class Mistake extends Error {}

/** Runs a command that needs one word. Returns its exit code and what it wrote. */
async function ended(args: readonly string[], run = async () => true, signal = new AbortController().signal) {
  let [stdout, stderr] = ['', '']
  const readArguments = ([word]: readonly string[]) => {
    if (word === undefined) throw new Mistake('- a word is needed\n')
    return word === '--help' ? undefined : { word }
  }
  const command = { usage: 'Usage: say <word>', readArguments, expected: Mistake, run }
  const outputs = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  }
  return { code: await exitCodeOf(command, args, outputs, signal), stdout, stderr }
}

describe('a command', () => {
  test('prints its usage when asked, and after mistakes on the command line', async () => {
    const [help, mistake] = [await ended(['--help']), await ended([])]

    assert.deepEqual(help, { code: 0, stdout: 'Usage: say <word>\n', stderr: '' })
    assert.deepEqual(mistake, { code: 1, stdout: '', stderr: '- a word is needed\n\nUsage: say <word>\n' })
  })

  test('ends with 0 for success, 1 for failures, and 130 when it was interrupted', async () => {
    const stopped = async () => {
      throw new Mistake('Stopped.')
    }

    assert.deepEqual(await ended(['yes']), { code: 0, stdout: '', stderr: '' })
    assert.equal((await ended(['yes'], async () => false)).code, 1)
    assert.deepEqual(await ended(['yes'], stopped), { code: 1, stdout: '', stderr: 'Stopped.\n' })
    assert.equal((await ended(['yes'], stopped, AbortSignal.abort())).code, 130)
  })

  test('throws a mistake of the program', async () => {
    const broken = async () => {
      throw new TypeError('no such function')
    }

    await assert.rejects(ended(['yes'], broken), TypeError)
  })
})
