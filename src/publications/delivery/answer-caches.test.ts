import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VersionFile } from '../model/files-store.ts'
import type { Opened } from '../model/reading.ts'
import { createPageAddresses } from './addresses.ts'
import { createImageListCache } from './answer-caches.ts'

const pageAddresses = createPageAddresses([Buffer.from('a secret of at least thirty-two characters')])
let nowMs = Date.UTC(2026, 4, 3)
const lists = createImageListCache(
  pageAddresses,
  () => 'https://cdn.example',
  () => nowMs,
)

function fileOf(change: Partial<VersionFile & Opened> = {}): VersionFile & Opened {
  return {
    publicationId: '0b9e7c1a-52d3-4c8e-9a55-0d2c3f1b7e01',
    title: 'Annual report',
    epoch: 0,
    rules: { workspace_id: 'workspace', access: null, unpublished_at: null, published_at: 1 },
    isForEveryone: true,
    versionId: '7f0a3c52-1111-4d0b-8f5e-6a2b9c4d8e02',
    blobKey: 'documents/1.pdf',
    size: 1000,
    sha256: '3f'.repeat(32),
    pageCount: 3,
    ...change,
  }
}

test('lists the address of every page, in page order', () => {
  const file = fileOf()

  const { images } = JSON.parse(lists.jsonOf(file).toString())

  assert.deepEqual(
    images,
    [1, 2, 3].map((page) => `https://cdn.example${pageAddresses.pathOf({ ...file, page })}`),
  )
})

test('builds a list once per version and epoch, whatever else of the publication changes', () => {
  const list = lists.jsonOf(fileOf())

  assert.equal(lists.jsonOf(fileOf({ title: 'Another title' })), list)
  assert.notDeepEqual(lists.jsonOf(fileOf({ epoch: 1 })), list)
  assert.notDeepEqual(lists.jsonOf(fileOf({ versionId: '7f0a3c52-1111-4d0b-8f5e-6a2b9c4d8e03' })), list)
})

test('rebuilds the same list after it was displaced', () => {
  const early = lists.jsonOf(fileOf({ epoch: 100 }))
  for (let epoch = 101; epoch < 122; epoch++) lists.jsonOf(fileOf({ epoch, pageCount: 5000 }))

  const again = lists.jsonOf(fileOf({ epoch: 100 }))

  assert.notEqual(again, early)
  assert.deepEqual(again, early)
})

test('lists addresses that end within ten minutes unless the publication is for everyone', () => {
  const endsAfterMs = () => {
    const [, end] = JSON.parse(lists.jsonOf(fileOf({ isForEveryone: false })).toString()).images[0].split('~')
    return Number(end) - nowMs
  }

  for (const passedMs of [0, 1, 299_999, 300_000, 300_001]) {
    nowMs = Date.UTC(2026, 4, 3) + passedMs
    const lifetimeMs = endsAfterMs()
    assert.ok(lifetimeMs >= 300_000 && lifetimeMs <= 600_000, `${lifetimeMs}`)
  }
})

test('lists addresses that end with the publication', () => {
  nowMs = Date.UTC(2026, 4, 3)
  const endOf = (endsAtMs: number) =>
    Number(JSON.parse(lists.jsonOf(fileOf({ endsAtMs })).toString()).images[0].split('~')[1])

  assert.equal(endOf(nowMs + 1), nowMs + 1)
  assert.equal(endOf(nowMs + 86_400_000), nowMs + 300_000)
})
