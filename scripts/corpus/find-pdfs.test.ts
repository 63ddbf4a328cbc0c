import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findPdfs } from './find-pdfs.ts'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('finds PDFs in all subfolders by name, in order', async (t) => {
  const folder = makeFolder(t)
  mkdirSync(join(folder, 'b.pdf/deeper'), { recursive: true })
  for (const name of ['z.pdf', 'A.PDF', '.pdf', 'a b#?%é.pdf', 'notes.txt', 'pdf', 'b.pdf/deeper/c.pdf'])
    writeFileSync(join(folder, name), '')

  const { files, unreadable } = await findPdfs(folder)

  assert.deepEqual(
    files.map(({ name }) => name),
    ['.pdf', 'A.PDF', 'a b#?%é.pdf', 'b.pdf/deeper/c.pdf', 'z.pdf'],
  )
  assert.deepEqual(unreadable, [])
})

test('does not follow links', async (t) => {
  const folder = makeFolder(t)
  writeFileSync(join(folder, 'a.pdf'), '')
  symlinkSync(folder, join(folder, 'round'))
  symlinkSync(join(folder, 'a.pdf'), join(folder, 'b.pdf'))

  const { files } = await findPdfs(folder)

  assert.deepEqual(
    files.map(({ name }) => name),
    ['a.pdf'],
  )
})

test('finds names that are not UTF-8, and shows all names safely for a terminal', {
  skip: process.platform !== 'linux' && 'names have to be text here',
}, async (t) => {
  const folder = makeFolder(t)
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad-`), Buffer.from([0xff, 0xfe]), Buffer.from('.pdf')]), 'bad')
  writeFileSync(join(folder, 'new\nline\u001b[2J.pdf'), 'line')

  const { files } = await findPdfs(folder)

  assert.deepEqual(
    files.map(({ name, path }) => [name, readFileSync(path, 'utf8')]),
    [
      ['bad-\ufffd\ufffd.pdf', 'bad'],
      ['new\ufffdline\ufffd[2J.pdf', 'line'],
    ],
  )
})

test('fails if the folder itself cannot be read', async (t) => {
  await assert.rejects(findPdfs(join(makeFolder(t), 'none')), { code: 'ENOENT' })
})
