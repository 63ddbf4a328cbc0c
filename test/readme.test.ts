import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type StartedProcess, startProcess } from './support/start-process.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Relative tolerance for rounded numbers on the page. */
const ROUNDING = 0.002

type Block = { language: string; text: string }
/** Commands of the walkthrough, and the output shown on the page. */
type Step = { commands: string; shown: Block | undefined }

/** Pages whose commands are carried out. The README has the shortest way through the API, the guide every step. */
const PAGES = ['README.md', 'docs/first-requests.md']

const hasCurl = spawnSync('curl', ['--version']).status === 0

describe('README', () => {
  test('starts with commands that exist', () => {
    const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts

    const commands = blocksOf('README.md').find(({ language }) => language === 'console')!.text

    assert.match(commands, /^\$ npm start$/m)
    assert.ok('start' in scripts)
  })

  test('is read in a few minutes', () => {
    assert.ok(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length <= 151)
  })
})

for (const page of PAGES) {
  const { setUp, steps } = walkthroughOf(page)

  test(`${page} asks only for an address, a token and a key`, () => {
    const names = setUp.commands.trim().split('\n')

    assert.deepEqual(
      names.map((line) => line.split('=')[0]),
      ['URL', 'TOKEN', 'KEY'],
    )
  })

  describe(`the walkthrough of the API in ${page}`, { skip: hasCurl ? false : 'curl is not installed' }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'readme-'))
    const server = await startProcess({ DATA_DIR: join(folder, 'data') })
    after(async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const outputs = hasCurl ? runAll(steps, folder, server) : []

    for (const [i, { shown }] of steps.entries()) {
      test(`step ${i + 1} prints what the page shows`, () => {
        if (shown === undefined) assert.equal(outputs[i].trim(), '')
        else if (shown.language === 'json') assertShows(JSON.parse(outputs[i]), JSON.parse(shown.text))
        else assert.equal(general(outputs[i].trim()), general(shown.text.trim()))
      })
    }

    if (page === 'README.md') {
      test('shows the output of the first start', () => {
        const shown = blocksOf(page).find(({ text }) => text.startsWith('Trackpress is running'))!.text

        assert.ok(general(server.output().stdout).startsWith(general(shown)))
      })
    }
  })
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({ language, text: code }))
}

/** Takes the commands of a page. The first ones set the variables that all others use. */
function walkthroughOf(page: string): { setUp: Step; steps: Step[] } {
  const blocks = blocksOf(page)
  const shell = blocks.flatMap(({ language }, i) => (language === 'sh' ? [i] : []))
  const [setUp, ...steps] = shell.map((i): Step => {
    const next = blocks[i + 1]
    return { commands: blocks[i].text, shown: next?.language === 'sh' ? undefined : next }
  })
  return { setUp, steps }
}

/** Runs all commands unchanged in one shell, so that each finds the variables and files of its predecessors. */
function runAll(steps: readonly Step[], folder: string, server: StartedProcess): string[] {
  const mark = '=== next step ==='
  const script = steps.map(({ commands }) => `${commands}\necho '\n${mark}'\n`).join('')
  const env = { PATH: process.env.PATH, URL: server.url, TOKEN: server.token, KEY: server.apiKey }
  const { status, stdout, stderr } = spawnSync('sh', ['-eu'], { cwd: folder, env, input: script, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout.split(mark)
}

/** Replaces what differs in each run: ports, ids and tokens, and the build, which sources that run as they are lack. */
function general(text: string): string {
  return text
    .replace(/\+[0-9a-f]{12}$/m, '')
    .replace(/:\d{4,5}/g, ':port')
    .replace(/[0-9a-f-]{36}|(trk|pub|lnk)_[\w-]{43}/g, '…')
}

/**
 * Asserts that an answer contains everything shown. Ids may differ, numbers may be rounded, and members may be omitted.
 */
function assertShows(actual: unknown, shown: unknown, place = 'the answer'): void {
  if (typeof shown === 'number') {
    assert.ok(
      typeof actual === 'number' && Math.abs(actual - shown) <= Math.abs(shown) * ROUNDING,
      `${place}: ${actual}`,
    )
  } else if (typeof shown === 'string' && /^[0-9a-f-]{36}$/.test(shown)) {
    assert.match(String(actual), /^[0-9a-f-]{36}$/, place)
  } else if (Array.isArray(shown)) {
    assert.equal((actual as unknown[]).length, shown.length, place)
    for (const [i, item] of shown.entries()) assertShows((actual as unknown[])[i], item, `${place}/${i}`)
  } else if (typeof shown === 'object' && shown !== null) {
    for (const [name, part] of Object.entries(shown)) {
      assertShows((actual as Record<string, unknown>)[name], part, `${place}/${name}`)
    }
  } else {
    assert.equal(actual, shown, place)
  }
}
