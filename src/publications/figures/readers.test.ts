import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksForPrivacy, createReaderHash, isPerson, isReader } from './readers.ts'

const BROWSERS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/380.0 Mobile/15E148 Safari/604.1',
]
const PROGRAMS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'node',
  '',
]
const [BROWSER] = BROWSERS

describe('whether somebody reads', () => {
  for (const agent of BROWSERS) {
    test(`takes ${agent} for a person`, () => assert.equal(isPerson({ 'user-agent': agent }), true))
  }

  for (const agent of PROGRAMS) {
    test(`takes ${agent || 'what does not say its name'} for a program`, () =>
      assert.equal(isPerson({ 'user-agent': agent }), false))
  }

  test('what is fetched only in case that somebody goes on is not read', () => {
    const headers = { 'user-agent': BROWSER }

    assert.equal(isPerson({ ...headers, 'sec-purpose': 'prefetch' }), false)
    assert.equal(isPerson({ ...headers, 'sec-purpose': 'prefetch;prerender' }), false)
    assert.equal(isPerson({ ...headers, 'x-moz': 'prefetch' }), false)
  })

  test('a page is read where it is shown, also in a frame, and not where a script fetches it', () => {
    const destined = (destination: string) => ({ 'user-agent': BROWSER, 'sec-fetch-dest': destination })

    assert.equal(isReader({ method: 'GET', headers: { 'user-agent': BROWSER } }), true)
    assert.equal(isReader({ method: 'GET', headers: destined('document') }), true)
    assert.equal(isReader({ method: 'GET', headers: destined('iframe') }), true)
    assert.equal(isReader({ method: 'GET', headers: destined('empty') }), false)
    assert.equal(isReader({ method: 'HEAD', headers: destined('document') }), false)
  })

  test('who asks not to be followed says so in one of two ways', () => {
    assert.equal(asksForPrivacy({ 'sec-gpc': '1' }), true)
    assert.equal(asksForPrivacy({ dnt: '1' }), true)
    assert.equal(asksForPrivacy({ dnt: '0' }), false)
    assert.equal(asksForPrivacy({}), false)
  })
})

const SECRET = [Buffer.alloc(32, 1)] as const
const TRAITS = { address: '192.0.2.7', userAgent: 'Firefox' }

/** As every instance sees them: the first salt of a day stays. */
function sharedSalts() {
  const salts = new Map<string, Uint8Array>()
  return {
    salts,
    async saltOf(day: string, fresh: Uint8Array) {
      if (!salts.has(day)) salts.set(day, fresh)
      return salts.get(day)!
    },
  }
}

test('a reader is the same for a day, on all instances', async () => {
  const salts = sharedSalts()
  const [one, other] = [createReaderHash(salts, SECRET), createReaderHash(salts, SECRET)]

  const hashes = [await one('2026-05-03', 'a', TRAITS), await other('2026-05-03', 'a', TRAITS)]

  assert.equal(hashes[0], hashes[1])
  assert.doesNotMatch(hashes[0], /192|Firefox/)
})

test('another day, publication, address, browser or installation makes another reader', async () => {
  const hash = createReaderHash(sharedSalts(), SECRET)
  const salts = sharedSalts()
  const [one, foreign] = [createReaderHash(salts, SECRET), createReaderHash(salts, [Buffer.alloc(32, 2)])]

  const hashes = [
    await hash('2026-05-03', 'a', TRAITS),
    await hash('2026-05-04', 'a', TRAITS),
    await hash('2026-05-03', 'b', TRAITS),
    await hash('2026-05-03', 'a', { ...TRAITS, address: '192.0.2.8' }),
    await hash('2026-05-03', 'a', { ...TRAITS, userAgent: 'Safari' }),
    await one('2026-05-03', 'a', TRAITS),
    await foreign('2026-05-03', 'a', TRAITS),
  ]

  assert.equal(new Set(hashes).size, hashes.length)
})

test('addresses of one IPv6 network are one', async () => {
  const hash = createReaderHash(sharedSalts(), SECRET)
  const from = (address: string) => hash('2026-05-03', 'a', { ...TRAITS, address })

  assert.equal(await from('2001:db8:1:2:aaaa::1'), await from('2001:db8:1:2:bbbb::2'))
  assert.notEqual(await from('2001:db8:1:2::1'), await from('2001:db8:1:3::1'))
})

test('a salt that could not be had is asked for again', async () => {
  let isGone = true
  const salts = sharedSalts()
  const hash = createReaderHash(
    { saltOf: (day, fresh) => (isGone ? Promise.reject(new Error('gone')) : salts.saltOf(day, fresh)) },
    SECRET,
  )

  await assert.rejects(hash('2026-05-03', 'a', TRAITS), /gone/)
  isGone = false

  assert.ok(await hash('2026-05-03', 'a', TRAITS))
})
