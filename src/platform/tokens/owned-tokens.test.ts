import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createOwnedTokens, isValidAt, maskToken, type StoredToken } from './owned-tokens.ts'
import { tokenHash } from './token.ts'

const NOW_MS = 1_000_000

function openTokens() {
  const rotations: { ownerId: string; token: StoredToken; othersEndMs: number }[] = []
  const published: string[] = []
  const options = {
    prefix: 'trk',
    store: {
      rotate: async (ownerId: string, token: StoredToken, othersEndMs: number) => {
        rotations.push({ ownerId, token, othersEndMs })
      },
      listValid: async () => rotations.map(({ token }) => token).reverse(),
    },
    notices: {
      publish: async (_topic: string, ownerId: string) => {
        published.push(ownerId)
      },
      subscribe: () => () => {},
      isLive: () => true,
    },
    sealingKeys: [randomBytes(32)] as const,
    now: () => NOW_MS,
  }
  return { tokens: createOwnedTokens(options), options, rotations, published }
}

describe('owned tokens', () => {
  test('are issued with their prefix, and stored without their text', () => {
    const { tokens } = openTokens()

    const { text, stored } = tokens.issue('phone')

    assert.match(text, /^trk_[\w-]{43}$/)
    assert.deepEqual([stored.sha256, stored.label, stored.createdAtMs], [tokenHash(text), 'phone', NOW_MS])
    assert.ok(!Buffer.from(stored.sealed).includes(text))
  })

  test('are rotated: the others end after the given time, and every instance is told', async () => {
    const { tokens, rotations, published } = openTokens()

    const { stored } = await tokens.rotate('event', 60_000)

    assert.deepEqual(rotations, [{ ownerId: 'event', token: stored, othersEndMs: NOW_MS + 60_000 }])
    assert.deepEqual(published, ['event'])
  })

  test('show the newest one again, unless the secret has changed', async () => {
    const { tokens, options } = openTokens()
    assert.equal(await tokens.showNewest('event'), undefined)
    await tokens.rotate('event', 0)
    const { text } = await tokens.rotate('event', 0)

    assert.equal(await tokens.showNewest('event'), text)
    const withOtherSecret = createOwnedTokens({ ...options, sealingKeys: [randomBytes(32)] as const })
    assert.equal(await withOtherSecret.showNewest('event'), undefined)
  })
})

test('a token is valid until its end, and without one for ever', () => {
  assert.deepEqual(
    [null, NOW_MS + 1, NOW_MS].map((expires_at) => isValidAt({ expires_at }, NOW_MS)),
    [true, true, false],
  )
})

test('a masked token shows its first 8 and last 4 characters', () => {
  assert.equal(maskToken('trk_0123456789abcdef'), 'trk_0123…cdef')
})
