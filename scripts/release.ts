// npm run release -- <version> : dates the changelog, sets the version, commits and tags.

import { fileURLToPath } from 'node:url'
import { ReleaseError, release } from './release/release.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

try {
  const [version, ...others] = process.argv.slice(2)
  if (version === undefined || others.length > 0) throw new ReleaseError('Usage: npm run release -- <version>')
  const tag = release(ROOT, version, new Date().toISOString().slice(0, 10))
  process.stdout.write(`Tagged ${tag}. Publish it with: git push --follow-tags\n`)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
