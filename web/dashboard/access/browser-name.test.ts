import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { browserName } from './browser-name.ts'

describe('the name of a browser', () => {
  const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
  const table = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge, Windows'],
    [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/140.0 Mobile Safari/537.36`, 'Chrome, Android'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${webkit} Version/19.0 Safari/604.1`, 'Safari, iOS'],
    ['curl/8.0', undefined],
    ['', undefined],
  ] as const

  for (const [userAgent, name] of table) {
    test(`${userAgent || 'nothing'} is ${name ?? 'not known'}`, () => {
      assert.equal(browserName(userAgent), name)
    })
  }
})
