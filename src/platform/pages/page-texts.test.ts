import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readPageTexts } from './page-texts.ts'

test('texts are read in every language that has a file beside the English one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [file, pages] of Object.entries({
    'pages.fr.json': '{{count}} page',
    'pages.en.json': '{{count}} pages',
    'pages.de.json': '{{count}} Seiten',
    'others.it.json': '{{count}} pagine',
  })) {
    writeFileSync(join(folder, file), JSON.stringify({ pages }))
  }

  const texts = readPageTexts<'pages'>(pathToFileURL(join(folder, 'pages.en.json')))

  const read = texts.languages.map((language) => [language, texts.of(language)('pages', { count: 2 })])
  assert.deepEqual(read, [
    ['en', '2 pages'],
    ['de', '2 Seiten'],
    ['fr', '2 page'],
  ])
})
