import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createAddressSigner } from './signed-address.ts'

const SECRET = Buffer.from('a secret of at least thirty-two characters')
const OTHER_SECRET = Buffer.from('another secret of thirty-two characters')
const NOW_MS = Date.UTC(2026, 0, 1)
const HOUR_MS = 3_600_000

const signer = createAddressSigner('download', [SECRET])
const address = {
  method: 'GET',
  path: '/files/0b8c-1.pdf',
  claims: { epoch: 3, name: 'Été & co.pdf' },
  expiresAtMs: NOW_MS + HOUR_MS,
} as const

const characters = [...'abcXYZ019-_.~/?&=%+#: é\0']
const claimNames = fc.stringMatching(/^[a-z][A-Za-z0-9_]{0,8}$/).filter((name) => !isReserved(name))
const claimValues = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme', maxLength: 20 }))

describe('a signed address', () => {
  test('is valid for its method and target, and returns its claims as text', () => {
    const signed = signer.sign(address)

    const verified = signer.verify('GET', signed, NOW_MS)

    assert.match(
      signed,
      /^\/files\/0b8c-1\.pdf\?epoch=3&name=[\w%.-]+&expires=1767229200000&key=[\w-]{8}&signature=[\w-]{43}$/,
    )
    assert.deepEqual(verified, {
      result: 'valid',
      claims: { epoch: '3', name: 'Été & co.pdf' },
      expiresAtMs: address.expiresAtMs,
    })
  })

  test('returns any claims unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(claimNames, claimValues, { maxKeys: 5 }), (claims) => {
        const verified = signer.verify('GET', signer.sign({ ...address, claims }), NOW_MS)

        const texts = Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)]))
        assert(verified.result === 'valid')
        assert.deepEqual({ ...verified.claims }, texts)
      }),
    )
  })

  test('expires to the millisecond, and is then reported as expired, not forged', () => {
    const signed = signer.sign(address)

    const results = [-1, 0].map((offset) => signer.verify('GET', signed, address.expiresAtMs + offset).result)

    assert.deepEqual(results, ['valid', 'expired'])
  })

  test('of GET is also valid for HEAD, and for no other method', () => {
    const get = signer.sign(address)
    const put = signer.sign({ ...address, method: 'PUT' })

    const results = ['HEAD', 'PUT', 'get', ''].map((method) => signer.verify(method, get, NOW_MS).result)

    assert.deepEqual(results, ['valid', 'forged', 'forged', 'forged'])
    assert.deepEqual(
      ['PUT', 'GET', 'HEAD'].map((method) => signer.verify(method, put, NOW_MS).result),
      ['valid', 'forged', 'forged'],
    )
  })

  test('is forged if any character is replaced', () => {
    const signed = signer.sign(address)
    for (let at = 0; at < signed.length; at++) {
      for (const character of characters.filter((other) => other !== signed[at])) {
        const changed = signed.slice(0, at) + character + signed.slice(at + 1)

        assert.equal(signer.verify('GET', changed, NOW_MS).result, 'forged', changed)
      }
    }
  })

  test('is forged if a character is added or removed, or two are swapped', () => {
    const signed = signer.sign(address)
    for (let at = 0; at <= signed.length; at++) {
      const more = characters.map((character) => signed.slice(0, at) + character + signed.slice(at))
      const less = signed.slice(0, at) + signed.slice(at + 1)
      const exchanged = signed.slice(0, at) + (signed[at + 1] ?? '') + (signed[at] ?? '') + signed.slice(at + 2)

      for (const changed of [...more, less, exchanged].filter((text) => text !== signed))
        assert.equal(signer.verify('GET', changed, NOW_MS).result, 'forged', changed)
    }
  })

  test('is forged for any text that was not signed', () => {
    const signed = signer.sign(address)
    const parts = fc.constantFrom(...signed.split(/(?<=[?&=])/), '&', 'expires=9999999999999&', 'signature=', '/')

    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string())), (texts) => {
        const text = texts.join('')

        assert.equal(signer.verify('GET', text, NOW_MS).result, text === signed ? 'valid' : 'forged')
      }),
    )
  })

  test('has a signature of its own for each method, path, expiry and set of claims', () => {
    const anyAddress = fc.record({
      method: fc.constantFrom('GET', 'PUT'),
      path: fc.stringMatching(/^(\/[a-z.-]{1,3}){1,3}$/),
      claims: fc.dictionary(claimNames, claimValues, { maxKeys: 3 }),
      expiresAtMs: fc.nat(),
    })
    fc.assert(
      fc.property(anyAddress, anyAddress, (one, other) => {
        const [first, second] = [signer.sign(one), signer.sign(other)]

        const isSame = first === second && one.method === other.method
        assert.equal(first.slice(-43) === second.slice(-43), isSame)
      }),
    )
  })

  test('of one purpose is forged for another purpose', () => {
    const uploads = createAddressSigner('upload', [SECRET])

    assert.equal(uploads.verify('GET', signer.sign(address), NOW_MS).result, 'forged')
  })

  test('stays valid after a change of secret while the old one is accepted', () => {
    const rotated = createAddressSigner('download', [OTHER_SECRET, SECRET])
    const ended = createAddressSigner('download', [OTHER_SECRET])
    const signed = signer.sign(address)

    const results = [rotated, ended].map((other) => other.verify('GET', signed, NOW_MS).result)

    assert.deepEqual(results, ['valid', 'forged'])
    assert.equal(ended.verify('GET', rotated.sign(address), NOW_MS).result, 'valid')
  })
})

describe('signing an address', () => {
  const cases: [string, object][] = [
    ['a path that a proxy might rewrite', { path: '/files/é.pdf' }],
    ['a path with a query', { path: '/files?a=1' }],
    ['a path that does not begin with a slash', { path: 'files' }],
    ['a claim called expires', { claims: { expires: 1 } }],
    ['a claim with other characters in its name', { claims: { 'a=1&b': 1 } }],
    ['claims that are too long', { claims: { a: 'x'.repeat(5000) } }],
    ['a time that is not a number', { expiresAtMs: Number.NaN }],
  ]
  for (const [name, change] of cases) {
    test(`throws for ${name}`, () => {
      assert.throws(() => signer.sign({ ...address, ...change }), Error)
    })
  }
})

function isReserved(name: string): boolean {
  return ['expires', 'key', 'signature'].includes(name)
}
