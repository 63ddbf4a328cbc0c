import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { describe, test } from 'node:test'
import { createPasswordHasher, formatPhcString, parsePhcString, RECOMMENDED_COST } from './password-hash.ts'

const QUICK = { memoryKib: 64, passes: 1, lanes: 1 }
const PASSWORD = 'a quiet lake at dawn'

describe('a stored password', () => {
  const hasher = createPasswordHasher(QUICK)

  test('is an Argon2id hash in the PHC string format, salted anew each time', async () => {
    const [first, second] = [await hasher.hash(PASSWORD, 'strangers'), await hasher.hash(PASSWORD, 'strangers')]

    assert.match(first, /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(first, second)
  })

  test('costs what RFC 9106 recommends', async () => {
    const stored = await createPasswordHasher().hash(PASSWORD, 'strangers')

    assert.match(stored, /^\$argon2id\$v=19\$m=65536,t=3,p=4\$/)
    assert.deepEqual(RECOMMENDED_COST, { memoryKib: 65_536, passes: 3, lanes: 4 })
  })

  test('is known again, and no other', async () => {
    const stored = await hasher.hash(PASSWORD, 'strangers')

    assert.deepEqual(await hasher.verify(PASSWORD, stored, 'strangers'), { isRight: true, isOutdated: false })
    for (const wrong of ['', `${PASSWORD} `, PASSWORD.toUpperCase()])
      assert.equal((await hasher.verify(wrong, stored, 'strangers')).isRight, false)
  })

  test('is known again however its letters are composed', async () => {
    const stored = await hasher.hash('éléphant à vélo'.normalize('NFD'), 'strangers')

    assert.equal((await hasher.verify('éléphant à vélo'.normalize('NFC'), stored, 'strangers')).isRight, true)
  })

  test('of another cost is known again, and is to be hashed anew', async () => {
    const stored = await createPasswordHasher({ ...QUICK, passes: 2 }).hash(PASSWORD, 'strangers')

    assert.deepEqual(await hasher.verify(PASSWORD, stored, 'strangers'), { isRight: true, isOutdated: true })
  })

  test('that there is none of is never right', async () => {
    assert.deepEqual(await hasher.verify(PASSWORD, null, 'strangers'), { isRight: false, isOutdated: false })
  })

  test('is what any implementation of Argon2id makes of it', async () => {
    const { salt, hash } = parsePhcString(await hasher.hash(PASSWORD, 'strangers'))

    const expected = argon2Sync('argon2id', {
      message: PASSWORD,
      nonce: salt,
      memory: 64,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    })
    assert.deepEqual(hash, expected)
  })
})

describe('many passwords at once', () => {
  test('are refused beyond those that may wait, and the others are all hashed', async () => {
    const hasher = createPasswordHasher(QUICK)

    const results = await Promise.allSettled(Array.from({ length: 50 }, () => hasher.hash(PASSWORD, 'strangers')))

    const refused = results.filter((result) => result.status === 'rejected')
    assert.equal(refused.length, 50 - 1 - 16)
    assert.ok(refused.every(({ reason }) => reason.code === 'UNAVAILABLE'))
    assert.match(await hasher.hash(PASSWORD, 'strangers'), /^\$argon2id/)
  })

  test('leave every second turn to newcomers', async () => {
    const hasher = createPasswordHasher(QUICK)
    const order: string[] = []
    const hash = (lane: 'strangers' | 'newcomers') => hasher.hash(PASSWORD, lane).then(() => order.push(lane))

    const strangers = Array.from({ length: 17 }, () => hash('strangers'))
    await assert.rejects(hash('strangers'), { code: 'UNAVAILABLE' })
    await Promise.all([...strangers, hash('newcomers'), hash('newcomers')])

    assert.deepEqual(order.slice(0, 5), ['strangers', 'strangers', 'newcomers', 'strangers', 'newcomers'])
    assert.equal(order.length, 19)
  })
})

describe('the PHC string format', () => {
  test('gives back what was written', () => {
    const hash = { ...QUICK, salt: Buffer.alloc(16, 1), hash: Buffer.alloc(32, 2) }

    assert.deepEqual(parsePhcString(formatPhcString(hash)), hash)
  })

  test('has nothing else taken for a hash', () => {
    for (const text of ['', PASSWORD, '$argon2i$v=19$m=64,t=1,p=1$AA$AA', '$argon2id$v=19$m=64,t=1,p=1$$'])
      assert.throws(() => parsePhcString(text), /cannot be read/)
  })
})
