import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type InlineConfig } from 'vite'

// Builds the pages that run in a browser: the dashboard into dist/dashboard, and the script of the public reader, where
// there is one, into dist/reader. Everything is made beside the folders in use and then takes their place, so that a
// server that runs meanwhile never sees half of it.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts: string[]) => join(ROOT, ...parts)
const UNFINISHED = at('dist', '.unfinished')

const common: InlineConfig = {
  configFile: false,
  envDir: false,
  logLevel: 'warn',
  mode: 'production',
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
}

// Whoever asks for it notes afterwards which sources this was; until then it is of none.
rmSync(at('dist', '.built'), { force: true })
rmSync(UNFINISHED, { recursive: true, force: true })
await buildDashboard()
if (existsSync(at('web', 'reader', 'reader.ts'))) await buildReader()
rmSync(UNFINISHED, { recursive: true, force: true })

async function buildDashboard(): Promise<void> {
  const outDir = join(UNFINISHED, 'dashboard')
  await build({
    ...common,
    root: at('web', 'dashboard'),
    base: '/dashboard/',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // The content security policy allows no data: scripts or styles, and a small file costs little over HTTP.
      assetsInlineLimit: 0,
      // The map's library alone is 1.1 MB; it is loaded by the pages that have a map.
      chunkSizeWarningLimit: 1500,
    },
  })
  compressFiles(join(outDir, 'assets'))
  putInPlace(outDir, at('dist', 'dashboard'))
}

/** Puts a compressed copy beside each file, which the server sends as it is. Level 9 takes half a second, 11 ten. */
function compressFiles(folder: string): void {
  for (const name of globSync('*.{js,mjs,css,json,svg}', { cwd: folder })) {
    const file = join(folder, name)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }))
  }
}

async function buildReader(): Promise<void> {
  const outDir = join(UNFINISHED, 'reader')
  await build({
    ...common,
    root: at('web', 'reader'),
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      lib: { entry: 'reader.ts', formats: ['es'], fileName: () => 'reader.js', cssFileName: 'reader' },
    },
  })
  putInPlace(outDir, at('dist', 'reader'))
}

function putInPlace(made: string, place: string): void {
  mkdirSync(at('dist'), { recursive: true })
  rmSync(place, { recursive: true, force: true })
  renameSync(made, place)
}
