import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedDocuments } from './docs/generated-documents.ts'

// Writes the documents that the code knows the content of: settings, errors and the description of the API.

const ROOT = fileURLToPath(new URL('..', import.meta.url))

for (const [path, text] of Object.entries(await generatedDocuments())) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
  process.stdout.write(`${path}\n`)
}
process.exit(0)
