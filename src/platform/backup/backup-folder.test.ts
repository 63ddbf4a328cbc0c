import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { BackupFolder } from './backup-folder.ts'
import { pack } from './inventory.ts'

const parent = mkdtempSync(join(tmpdir(), 'backup-folder-'))
after(() => rmSync(parent, { recursive: true, force: true }))

test('a file that cannot be written leaves no source open', async () => {
  const folder = await BackupFolder.openOrCreate(join(parent, 'full'), undefined)
  writeFileSync(join(folder.path, 'drafts'), 'a file where drafts would be, as good as a full disk')
  const plain = Readable.from([Buffer.alloc(9)])
  const packed = Readable.from([Buffer.alloc(9)])

  await assert.rejects(folder.write('a', plain), { code: 'EEXIST' })
  await assert.rejects(folder.write('b', pack(packed)), { code: 'EEXIST' })

  assert.deepEqual([plain.destroyed, packed.destroyed], [true, true])
})
