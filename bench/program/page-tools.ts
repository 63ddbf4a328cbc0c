import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './start-program.ts'

/** A program that draws the pages of a document. */
export type PageTool = {
  name: string
  /** The command for a document and an empty folder. */
  command(pdf: string, folder: string): readonly string[]
  /** Pages that it draws at most; a slow one draws the first pages only. */
  mostPages: number
  /** A command that prints its version. */
  version: readonly string[]
}

/** Time to draw pages; undefined if the tool is not installed. */
export type Drawn = { wallMs: number; processorMs: number; pages: number } | undefined

/** Status by which a shell says that it did not find a command, and our script that it did not find its package. */
const NOT_FOUND = 127

const PDFJS = join(ROOT, 'bench/rivals/pdfjs-pages.ts')

const ALL = Number.POSITIVE_INFINITY

/** Tools that are used if they are installed. All draw at 100 dots per inch, on one core, and write PNG. */
export const PAGE_TOOLS = {
  pdftoppm: {
    name: 'pdftoppm -r 100 -png',
    command: (pdf, folder) => ['pdftoppm', '-r', '100', '-png', pdf, join(folder, 'page')],
    mostPages: ALL,
    version: ['pdftoppm', '-v'],
  },
  mutool: {
    name: 'mutool draw -r 100',
    command: (pdf, folder) => ['mutool', 'draw', '-q', '-r', '100', '-o', join(folder, 'page-%d.png'), pdf],
    mostPages: ALL,
    version: ['mutool', '-v'],
  },
  pdfjs: {
    name: 'pdfjs-dist in Node.js',
    command: (pdf, folder) => ['node', PDFJS, pdf, folder, '40'],
    mostPages: 40,
    version: ['node', PDFJS, '--version'],
  },
} satisfies Record<string, PageTool>

/** Says which tools are installed, and in which version. */
export async function describeTools(): Promise<string> {
  const found = await Promise.all(
    Object.values(PAGE_TOOLS).map(async ({ name, version: [command, ...parameters] }) => {
      try {
        const { stdout, stderr } = await promisify(execFile)(command, parameters)
        return (stdout + stderr).trim().split('\n')[0]
      } catch {
        return `${name} is not installed`
      }
    }),
  )
  return `other tools: ${found.join('; ')}`
}

/** Draws a document with a tool. The shell's `times` knows the processor time of the tool, which has ended. */
export async function drawPages(tool: PageTool, pdf: string, pages: number, folder: string): Promise<Drawn> {
  const target = mkdtempSync(join(folder, 'drawn-'))
  const startMs = performance.now()
  try {
    const script = '"$0" "$@" >&2 || exit $?; times'
    const parameters = ['-c', script, ...tool.command(pdf, target)]
    const { stdout } = await promisify(execFile)('sh', parameters, { maxBuffer: 16 * 1_048_576 })
    const wallMs = performance.now() - startMs
    return { wallMs, processorMs: childrenMs(stdout), pages: Math.min(pages, tool.mostPages) }
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_FOUND) return undefined
    throw error
  } finally {
    rmSync(target, { recursive: true })
  }
}

/** Returns the time of ended children from the output of the shell's `times`: its second line, user and system. */
export function childrenMs(times: string): number {
  const found = times
    .trim()
    .split('\n')[1]
    ?.match(/^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/)
  if (found === null || found === undefined) throw new Error(`Not the output of times: ${times}`)
  const [userMin, userSec, systemMin, systemSec] = found.slice(1).map(Number)
  return (60 * (userMin + systemMin) + userSec + systemSec) * 1000
}
