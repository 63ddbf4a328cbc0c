import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'

const PACKAGE = fileURLToPath(new URL('../../node_modules/@sparticuz/chromium/', import.meta.url))
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/chromium/', import.meta.url))
/** Replaces the package's font configuration, which names folders outside the project. */
const FONTS_CONF = fileURLToPath(new URL('fonts.conf', import.meta.url))

let unpacking: Promise<void> | undefined

/** A Chromium that is ready to be started: its program, and the environment it needs on a machine without a desktop. */
export type UnpackedChromium = { executablePath: string; env: Record<string, string> }

/**
 * Unpacks the Chromium that npm brought, once for an installation; takes some three seconds the first time. It is
 * unpacked beside its place and then moved there, because several test files may start at once.
 */
export async function unpackChromium(version: string): Promise<UnpackedChromium> {
  const folder = join(CACHE, version)
  // The suites of a file run at the same time in one process, which unpacks once.
  unpacking ??= unpackOnce(folder)
  await unpacking
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      FONTCONFIG_FILE: FONTS_CONF,
      XDG_DATA_HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      HOME: folder,
      // ANGLE sets this variable while other threads read the environment. Adding a variable may then crash the browser
      // in getenv; replacing one that exists does not.
      VK_ICD_FILENAMES: join(folder, 'vk_swiftshader_icd.json'),
    },
  }
}

async function unpackOnce(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.${process.pid}`
  await unpackInto(unfinished)
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

/** Sets TMPDIR, because the package unpacks into the folder for temporary files. */
async function unpackInto(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    const packed = readdirSync(join(PACKAGE, 'bin')).map((name) => join(PACKAGE, 'bin', name))
    await Promise.all(packed.map((file) => inflate(file)))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

/** Where the package's own description is, which says its version. */
export const chromiumPackage = join(dirname(`${PACKAGE}x`), 'package.json')
