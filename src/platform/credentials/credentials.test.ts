import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { notFound } from '../basics/errors.ts'
import { createCredentials } from './credentials.ts'
import type { CredentialRow, CredentialsStore } from './credentials-store.ts'
import { tokenHash } from './token.ts'

const NOW_MS = 1_000_000

type Own = { user_id: string | null }

const KIND = {
  prefix: 'trk',
  table: 'app_tokens',
  sha256Column: 'token_sha256',
  ownerColumn: 'event_id',
  own: { user_id: null },
  permissions: ['record', 'read', 'manage'],
  defaultPermissions: ['record', 'read'],
  ownerNotFound: notFound,
  notFound,
}

function openCredentials() {
  const rotations: { row: CredentialRow<Own>; othersEndMs: number }[] = []
  const published: string[] = []
  const store = {
    rotate: async (row: CredentialRow<Own>, othersEndMs: number) => {
      rotations.push({ row, othersEndMs })
    },
    listFirst: async () => rotations.map(({ row }) => row).reverse(),
  }
  const options = {
    kind: KIND,
    store: store as Partial<CredentialsStore<Own>> as CredentialsStore<Own>,
    findOwner: async (id: string) => ({ id, name: 'Race' }),
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
  return { credentials: createCredentials<Own>(options), options, rotations, published }
}

describe('credentials', () => {
  test('are issued with their prefix, and stored without their text', () => {
    const { credentials } = openCredentials()

    const { text, row } = credentials.issueFirst('event', 'phone')

    assert.match(text, /^trk_[\w-]{43}$/)
    assert.deepEqual([row.sha256, row.label, row.created_at], [tokenHash(text), 'phone', NOW_MS])
    assert.ok(!Buffer.from(row.sealed).includes(text))
  })

  test('are rotated: the others end after the given time, and every instance is told', async () => {
    const { credentials, rotations, published } = openCredentials()

    const { row } = await credentials.rotate('event', 60_000)

    assert.deepEqual(rotations, [{ row, othersEndMs: NOW_MS + 60_000 }])
    assert.deepEqual(published, ['event'])
  })

  test('show the newest one again, unless the secret has changed', async () => {
    const { credentials, options } = openCredentials()
    assert.equal((await credentials.showFirst('event')).text, undefined)
    await credentials.rotate('event', 0)
    const { text } = await credentials.rotate('event', 0)

    assert.equal((await credentials.showFirst('event')).text, text)
    const withOtherSecret = createCredentials<Own>({ ...options, sealingKeys: [randomBytes(32)] as const })
    assert.equal((await withOtherSecret.showFirst('event')).text, undefined)
  })
})
