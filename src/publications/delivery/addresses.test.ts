import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createAddressSigner } from '#platform/credentials/signed-address.ts'
import { type AddressedPage, createFileAddresses, createPageAddresses, type PageAddress } from './addresses.ts'

const SECRET = Buffer.from('a secret of at least thirty-two characters')

const OTHER_SECRET = Buffer.from('another secret of thirty-two characters')
const addresses = createPageAddresses([SECRET])
const page: AddressedPage = {
  publicationId: '0b9e7c1a-52d3-4c8e-9a55-0d2c3f1b7e01',
  versionId: '7f0a3c52-1111-4d0b-8f5e-6a2b9c4d8e02',
  sha256: '3f'.repeat(32),
  epoch: 2,
  page: 14,
}

const anyPage: fc.Arbitrary<AddressedPage> = fc.record({
  publicationId: fc.uuid(),
  versionId: fc.uuid(),
  sha256: fc.stringMatching(/^[0-9a-f]{64}$/),
  epoch: fc.nat(999_999_999),
  page: fc.integer({ min: 1, max: 999_999_999 }),
})

describe('the address of a page', () => {
  test('names version, epoch and page, and says nothing of the file or the publication', () => {
    const path = addresses.pathOf(page)

    assert.match(path, /^\/images\/7f0a3c52-1111-4d0b-8f5e-6a2b9c4d8e02\/2-14-[\w-]{22}$/)
    for (const text of [page.publicationId, page.sha256]) assert.ok(!path.includes(text))
  })

  test('is read and known again, whatever the page', () => {
    fc.assert(
      fc.property(anyPage, (any) => {
        const address = readPath(addresses.pathOf(any))

        assert.deepEqual([address.versionId, address.epoch, address.page], [any.versionId, any.epoch, any.page])
        assert(addresses.isGenuine(address, any))
      }),
    )
  })

  test('is the same every time, so that caches can keep the image', () => {
    assert.equal(createPageAddresses([SECRET]).pathOf({ ...page }), addresses.pathOf(page))
  })

  const changes: [string, Partial<AddressedPage>][] = [
    ['publication', { publicationId: '0b9e7c1a-52d3-4c8e-9a55-0d2c3f1b7e03' }],
    ['version', { versionId: '7f0a3c52-1111-4d0b-8f5e-6a2b9c4d8e03' }],
    ['file', { sha256: '3e'.repeat(32) }],
    ['epoch', { epoch: 3 }],
    ['page', { page: 15 }],
  ]
  for (const [name, change] of changes) {
    test(`has another key for another ${name}`, () => {
      assert.notEqual(macOf({ ...page, ...change }), macOf(page))
    })
  }

  test('has another key in another installation', () => {
    const others = createPageAddresses([OTHER_SECRET])

    assert.notEqual(others.pathOf(page), addresses.pathOf(page))
    assert.ok(!others.isGenuine(readPath(addresses.pathOf(page)), page))
  })

  test('is new after a change of secret, and the former one stays genuine while its secret is accepted', () => {
    const former = readPath(addresses.pathOf(page))
    const rotated = createPageAddresses([OTHER_SECRET, SECRET])

    assert.equal(rotated.pathOf(page), createPageAddresses([OTHER_SECRET]).pathOf(page))
    assert.ok(rotated.isGenuine(former, page))
    assert.ok(!rotated.isGenuine(former, { ...page, publicationId: page.versionId }))
    assert.ok(!createPageAddresses([OTHER_SECRET]).isGenuine(former, page))
  })

  test('shares its key with no other page', () => {
    fc.assert(
      fc.property(anyPage, anyPage, (one, other) => {
        const isSamePage = JSON.stringify(one) === JSON.stringify(other)
        assert.equal(macOf(one) === macOf(other), isSamePage)
      }),
    )
  })
})

describe('an address that was altered', () => {
  test('is not genuine for another page, epoch, version, publication or file', () => {
    const address = readPath(addresses.pathOf(page))

    const altered: PageAddress[] = [
      { ...address, page: 15 },
      { ...address, epoch: 1 },
      { ...address, versionId: page.publicationId },
      { ...address, mac: 'A'.repeat(22) },
      { ...address, mac: address.mac.slice(1) },
      { ...address, mac: 'é'.repeat(11) },
      { ...address, mac: '' },
    ]
    for (const other of altered) assert.ok(!addresses.isGenuine(other, page), JSON.stringify(other))
    assert.ok(!addresses.isGenuine(address, { ...page, publicationId: page.versionId }))
    assert.ok(!addresses.isGenuine(address, { ...page, sha256: '3e'.repeat(32) }))
  })

  test('is refused with any one character replaced, more or less', () => {
    const path = addresses.pathOf(page)
    const characters = [...'0123456789abcdefABCXYZ-_./~%?&=+: é\0']
    for (let at = '/images/'.length; at <= path.length; at++) {
      const [before, after] = [path.slice(0, at), path.slice(at + 1)]
      const replaced = characters.map((character) => before + character + after)
      const more = characters.map((character) => before + character + path.slice(at))

      for (const changed of [before + after, ...replaced, ...more].filter((text) => text !== path))
        assert.ok(!isGenuinePath(changed), changed)
    }
  })

  test('is refused whatever was written in its place', () => {
    const path = addresses.pathOf(page)
    const parts = fc.constantFrom(...path.split(/(?<=[/-])/))

    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string())), (texts) => {
        const text = texts.join('')

        assert.equal(isGenuinePath(text), text === path)
      }),
    )
  })

  for (const name of ['02-14-', '2-014-', '2-0-', '-2-14-', '2-14.0-', '2-1e1-', '2-1234567890-', '']) {
    test(`is not read where it begins with ${JSON.stringify(name)}`, () => {
      assert.equal(addresses.parse(page.versionId, `${name}${macOf(page)}`), undefined)
    })
  }
})

function readPath(path: string): PageAddress {
  const [, , versionId, name] = path.split('/')
  const address = addresses.parse(versionId, name)
  assert(address !== undefined)
  return address
}

function macOf(any: AddressedPage): string {
  return readPath(addresses.pathOf(any)).mac
}

function isGenuinePath(path: string): boolean {
  const [empty, folder, versionId = '', name = '', ...rest] = path.split('/')
  const address =
    empty === '' && folder === 'images' && rest.length === 0 ? addresses.parse(versionId, name) : undefined
  return address !== undefined && addresses.isGenuine(address, page)
}

const ISSUED_MS = Date.UTC(2026, 4, 3, 8)
const HOUR_MS = 3_600_000
const CDN = 'https://images.example/press'
const file = {
  versionId: '7f0a3c52-1111-4d0b-8f5e-6a2b9c4d8e02',
  epoch: 4,
  isForEveryone: true,
}

/** The service at an instant, as its clock shows it. */
function at(nowMs: number) {
  const signer = createAddressSigner('file', [SECRET])
  return createFileAddresses(
    signer,
    () => CDN,
    () => nowMs,
  )
}

describe('the address of a file', () => {
  test('is absolute, and names nothing but the version and what is granted', () => {
    const address = at(ISSUED_MS).issue(file, 'inline')

    const expires = ISSUED_MS + HOUR_MS
    const target = `${CDN}/files/${file.versionId}?epoch=4&as=inline&expires=${expires}&`
    assert.ok(address.startsWith(target), address)
    assert.match(address.slice(target.length), /^key=[\w-]{8}&signature=[\w-]{43}$/)
  })

  test('grants one file, of one epoch, for one use', () => {
    for (const use of ['inline', 'attachment'] as const) {
      const target = targetOf(at(ISSUED_MS).issue(file, use))

      assert.deepEqual(at(ISSUED_MS).open('GET', target), { epoch: 4, use })
      assert.deepEqual(at(ISSUED_MS).open('HEAD', target), { epoch: 4, use })
      assert.throws(() => at(ISSUED_MS).open('PUT', target), { status: 403, code: 'FORBIDDEN' })
    }
  })

  test('is valid for exactly one hour from its issue', () => {
    const target = targetOf(at(ISSUED_MS).issue(file, 'inline'))

    assert.deepEqual(at(ISSUED_MS + HOUR_MS - 1).open('GET', target), { epoch: 4, use: 'inline' })
    for (const lateMs of [HOUR_MS, 2 * HOUR_MS, 10_000 * HOUR_MS])
      assert.throws(() => at(ISSUED_MS + lateMs).open('GET', target), { status: 410, code: 'GONE' })
  })

  test('is valid for at most ten minutes unless the publication is for everyone', () => {
    for (const opened of [{ isForEveryone: false }, { endsAtMs: ISSUED_MS + HOUR_MS }]) {
      const target = targetOf(at(ISSUED_MS + 1).issue({ ...file, ...opened }, 'inline'))

      assert.deepEqual(at(ISSUED_MS + 300_000).open('GET', target), { epoch: 4, use: 'inline' })
      assert.throws(() => at(ISSUED_MS + 600_001).open('GET', target), { status: 410, code: 'GONE' })
    }
  })

  test('does not live longer for being altered', () => {
    const target = targetOf(at(ISSUED_MS).issue(file, 'inline'))
    const later = target.replace(/expires=\d+/, `expires=${ISSUED_MS + 2 * HOUR_MS}`)

    assert.notEqual(later, target)
    assert.throws(() => at(ISSUED_MS).open('GET', later), { status: 403, code: 'FORBIDDEN' })
  })
})

/** As the server is sent it: a proxy has taken away what is its own. */
function targetOf(address: string): string {
  return address.slice(CDN.length)
}
