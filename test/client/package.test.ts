import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/**
 * 10 kB, with every storage, the verifier of webhooks and the reader of the live
 * stream. An app bundles only what it uses.
 */
const MAX_GZIP_BYTES = 10_000
/** Frames stand alone: pages for viewers need nothing else. */
const FRAMES = './live/watch-frames.js'
const SHARE = './live/watch-share.js'
const TILES = './live/frame-tiles.js'
const FRAME_ENTRIES = [FRAMES, SHARE, TILES, './live/frames.js']
/** Some 200 bytes of it read long frames in slices. */
const MAX_FRAMES_GZIP_BYTES = 3_700
const MAX_SHARE_GZIP_BYTES = 4_600

describe('The package @trackpress/client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync(process.execPath, ['--no-warnings', 'scripts/build-client.ts', folder], { cwd: ROOT, stdio: 'ignore' })
  const built = join(folder, 'client')
  const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'))
  const entries = Object.values<string>(manifest.exports).filter((file) => file.endsWith('.js'))

  test(`has at most ${MAX_GZIP_BYTES} bytes with all its parts`, async (t) => {
    const recording = entries.filter((file) => !FRAME_ENTRIES.includes(file))
    const everything = recording.map((file, at) => `export * as part${at} from '${join(built, file)}'`)
    writeFileSync(join(folder, 'everything.js'), everything.join('\n'))

    const size = await gzipBytes(join(folder, 'everything.js'))
    const queue = await gzipBytes(join(built, 'track-queue.js'))

    t.diagnostic(`everything ${size} bytes, the queue alone ${queue} bytes`)
    assert.ok(size <= MAX_GZIP_BYTES, `${size} bytes`)
  })

  test('follows frames and shares with a few bytes', async (t) => {
    const [frames, share] = [await gzipBytes(join(built, FRAMES)), await gzipBytes(join(built, SHARE))]

    t.diagnostic(`frames ${frames} bytes, a share ${share} bytes`)
    assert.ok(frames <= MAX_FRAMES_GZIP_BYTES, `${frames} bytes`)
    assert.ok(share <= MAX_SHARE_GZIP_BYTES, `${share} bytes`)
  })

  test('needs no other package, at run time and for its types', () => {
    assert.equal(manifest.dependencies, undefined)
    for (const file of globSync('**/*.{js,d.ts}', { cwd: built })) {
      for (const [, target] of readFileSync(join(built, file), 'utf8').matchAll(
        /(?:from |import\()['"]([^'"]+)['"]/g,
      )) {
        assert.match(target, /^\.{1,2}\/.*\.js$/, file)
      }
    }
  })

  test('has a file with types for every address', () => {
    const files = globSync('**/*', { cwd: built })

    for (const entry of entries) {
      assert.ok(files.includes(entry.slice(2)), entry)
      assert.ok(files.includes(entry.slice(2).replace(/\.js$/, '.d.ts')), entry)
    }
  })

  test('is packed with its README, its licence and the version of the project', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

    assert.equal(manifest.version, version)
    assert.deepEqual(globSync('*.tgz', { cwd: folder }), [`trackpress-client-${version}.tgz`])
    const listed = execFileSync('tar', ['tzf', join(folder, `trackpress-client-${version}.tgz`)], { encoding: 'utf8' })
    for (const file of ['README.md', 'LICENSE', 'track-queue.js']) assert.match(listed, new RegExp(`package/${file}`))
  })

  test('has no syntax that React Native and older browsers cannot read', () => {
    for (const file of globSync('**/*.js', { cwd: built })) {
      // Engines for phones lag behind in these.
      assert.doesNotMatch(
        readFileSync(join(built, file), 'utf8'),
        /\?\?=|\|\|=|&&=|\bstatic \{|^\s+#\w+|\bat\(-1\)/m,
        file,
      )
    }
  })
})

async function gzipBytes(entry: string): Promise<number> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    // As an app bundles it: a library's build keeps white space.
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  })
  const { output } = result as unknown as { output: { code: string }[] }
  assert.equal(output.length, 1)
  return gzipSync(output[0].code, { level: 9 }).length
}
