import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedDocuments } from './docs/generated-documents.ts'

// Writes the documents that derive from the code: settings, errors and the API descriptions.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

for (const [path, text] of Object.entries(await generatedDocuments())) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
  process.stdout.write(`${path}\n`)
}
process.exit(0)
