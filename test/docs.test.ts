import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { errorAdvice } from '../scripts/docs/error-advice.ts'
import { definedErrors, errorModules } from '../scripts/docs/errors-page.ts'
import { generatedDocuments, settingsTables } from '../scripts/docs/generated-documents.ts'
import { FRENCH_GUIDES } from '../src/platform/reference/guide-page.ts'
import { databases } from './support/databases.ts'
import { startService } from './support/start-service.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const generated = await generatedDocuments()
const errors = Object.values(definedErrors).flat()

describe('generated documents', () => {
  for (const [path, text] of Object.entries(generated)) {
    test(`${path} matches the code`, () => {
      // A comparison by `equal` would print two documents of half a megabyte.
      assert.ok(read(path) === text, `${path} is stale; npm run docs writes it`)
    })
  }
})

describe('errors', () => {
  test('a code has one status', () => {
    const statuses = Map.groupBy(errors, ({ code }) => code)

    for (const [code, same] of statuses) {
      assert.deepEqual([...new Set(same.map(({ status }) => status))], [same[0].status], code)
    }
  })

  test('advice exists for every code, and for no other', () => {
    assert.deepEqual(Object.keys(errorAdvice).sort(), [...new Set(errors.map(({ code }) => code))].sort())
  })

  test('every file that defines an error is documented', () => {
    const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => /= defineError\(/.test(read(file)))

    const documented = Object.values(errorModules).flatMap((modules) => modules.map(({ file }) => file))
    assert.deepEqual(files.sort(), documented.sort())
  })
})

describe('settings', () => {
  test('every table of settings is documented', () => {
    const files = globSync('src/**/*config.ts', { cwd: ROOT }).filter((file) =>
      /export const \w+Config = /.test(read(file)),
    )

    assert.equal(files.length, Object.keys(settingsTables).length, files.join(', '))
  })

  test('no variable is in two tables', () => {
    const names = Object.values(settingsTables).flatMap((table) => Object.values(table).map(({ env }) => env))

    assert.deepEqual(names, [...new Set(names)])
  })
})

describe('links in the documentation', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', 'clients/**/*.md'], { cwd: ROOT })
  const sources = globSync('{src,web,test,scripts,demo,bench,clients}/**/*.{ts,tsx}', { cwd: ROOT })
  const sourceFiles = new Set(sources.map((file) => basename(file)))

  for (const page of pages) {
    test(`${page} links to files that exist`, () => {
      const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]

      for (const [, path, anchor] of links) {
        const target = path === '' ? page : join(dirname(page), path)
        assert.ok(globSync(target, { cwd: ROOT }).length > 0, `${page} links to ${path}`)
        if (anchor !== undefined) assert.ok(anchorsOf(target).includes(anchor), `${page} links to ${path}#${anchor}`)
      }
    })

    test(`${page} names files and folders that exist`, () => {
      const named = [...read(page).matchAll(/`((?:src|web|demo|test|scripts|docs|bench|\.github)\/[\w./-]+)`/g)].map(
        ([, path]) => path,
      )

      for (const path of named) assert.ok(globSync(path, { cwd: ROOT }).length > 0, `${page} names ${path}`)
    })

    test(`${page} names source files that exist, with or without their folder`, () => {
      const named = [...read(page).matchAll(/`([a-z][a-z0-9-]*\.tsx?)`/g)].map(([, name]) => name)

      for (const name of named) assert.ok(sourceFiles.has(name), `${page} names ${name}`)
    })
  }

  /** Derives the anchors of a page's headings as GitHub does. */
  function anchorsOf(page: string): string[] {
    return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\s-]/gu, '')
        .replace(/\s/g, '-'),
    )
  }
})

describe('the guides for operators', () => {
  const operating = read('docs/operating.md')
  const backup = read('docs/backup.md')
  const adminCommand = read('docs/admin-command.md')

  test('begin with a part that can be read at once', () => {
    assert.ok(operating.split(/\s+/).length <= 6000)
  })

  test('back up every database', () => {
    for (const name of databaseNames()) {
      assert.match(backup, new RegExp(`^\\| \`${name}\\.sqlite\` \\|`, 'm'))
      assert.match(backup, new RegExp(`^\\$ sqlite3 data/${name}\\.sqlite "\\.backup `, 'm'))
      assert.match(backup, new RegExp(`schemas [^.]*\`${name}\``))
    }
  })

  test('name files to install that exist', () => {
    const pages = globSync('docs/*.md', { cwd: ROOT })
    const named = pages.flatMap((page) => [...read(page).matchAll(/\bdeploy\/[\w.*/-]*\w/g)].map(([path]) => path))

    assert.ok(named.length > 10)
    assert.deepEqual(
      named.filter((path) => globSync(path, { cwd: ROOT }).length === 0),
      [],
    )
  })

  test('have every admin command, and no other', () => {
    const documented = [
      ...adminCommand.matchAll(
        /^\| `((?:audit|backup|doctor|events|workspaces|publications|operators|storage|distribute|secrets|erase|upkeep) [^`]+)` \|/gm,
      ),
    ].map(([, usage]) => usage.replaceAll('\\|', '|'))

    assert.deepEqual(documented.sort(), adminCommands().sort())
  })
})

describe('the guides in French', () => {
  for (const guide of FRENCH_GUIDES) {
    test(`${guide} has every heading, table and example of the English one`, () => {
      const outline = (page: string) => {
        const lines = read(page).split('\n')
        const headings = lines.filter((line) => /^#+ /.test(line)).map((line) => line.split(' ')[0])
        const of = (start: string) => lines.filter((line) => line.trimStart().startsWith(start)).length
        return { headings, rows: of('|'), fences: of('```') }
      }

      assert.deepEqual(outline(`docs/fr/${guide}.md`), outline(`docs/${guide}.md`))
    })
  }
})

describe('admin commands in the documentation', () => {
  const commands = adminCommands()

  for (const page of globSync(['*.md', 'docs/*.md'], { cwd: ROOT })) {
    test(`${page} names commands and options that exist`, () => {
      const named = [
        ...read(page).matchAll(
          /(?:admin --|admin\.js|`admin|sudo trackpress-admin) ((?:[\w-]+|<file>|"[^"]*"|[ /%.…])+)/g,
        ),
      ]

      for (const [, text] of named) {
        const words = text.trim().split(' ')
        const usage = commands.filter((one) => fixedWords(one).every((word, i) => words[i] === word)).at(-1)
        assert.ok(usage !== undefined || isBeginning(words), `${page}: admin ${text}`)
        for (const [option] of text.matchAll(/--[a-z-]+/g))
          assert.ok(option === '--help' || usage?.includes(option), `${page}: admin ${text} has no ${option}`)
      }
    })
  }

  function fixedWords(usage: string): string[] {
    return usage.split(/ (?=[<[])/)[0].split(' ')
  }

  /** Tells whether the words ask for help, or name a group of commands, such as `distribute`. */
  function isBeginning(words: readonly string[]): boolean {
    if (words[0] === '--help') return true
    return commands.some((usage) => words.every((word, i) => fixedWords(usage)[i] === word))
  }
})

describe('docs/decisions', () => {
  const records = globSync('docs/decisions/*.md', { cwd: ROOT }).sort()

  test('are numbered without a gap', () => {
    for (const [index, record] of records.entries()) {
      const number = index + 1
      assert.match(record, new RegExp(`/${String(number).padStart(4, '0')}-`))
      assert.match(read(record), new RegExp(`^# ${number}\\. `))
    }
  })

  for (const record of records) {
    test(`${record} has a date, a context, a decision, what was rejected, and consequences`, () => {
      const headings = read(record)
        .match(/^(#+ .+|Date: \d{4}-\d\d-\d\d)$/gm)
        ?.slice(1)

      assert.deepEqual(headings?.[0].split(' ')[0], 'Date:')
      assert.deepEqual(headings?.slice(1), ['## Context', '## Decision', '## Rejected', '## Consequences'])
    })
  }
})

describe('docs/architecture.md', () => {
  test('has every table', () => {
    const created = globSync('src/**/*.ts', { cwd: ROOT }).flatMap((file) =>
      [...read(file).matchAll(/createTable\('(\w+)'\)/g)].map(([, table]) => table),
    )
    const documented = [...read('docs/architecture.md').matchAll(/^\| [\w, ]*\| `(\w+)` \|/gm)].map(
      ([, table]) => table,
    )

    assert.deepEqual(documented.sort(), [...created, 'migrations'].sort())
  })

  test('draws every service', () => {
    const page = read('docs/architecture.md')

    for (const service of databaseNames()) assert.match(page, new RegExp(`subgraph ${service}\\[`))
  })
})

/** Finds the names of the databases that services open, which name SQLite files and PostgreSQL schemas. */
function databaseNames(): string[] {
  const names = globSync('src/*/model/*.ts', { cwd: ROOT }).flatMap((file) =>
    [...read(file).matchAll(/openDatabase<\w+>\(\w+, '(\w+)'/g)].map(([, name]) => name),
  )
  assert.equal(names.length, globSync('src/*/model/tables.ts', { cwd: ROOT }).length)
  return names
}

/** Lists the usage of every command, as `admin --help` prints it. */
function adminCommands(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'admin-'))
  try {
    const { stdout, stderr } = spawnSync(process.execPath, ['src/admin.ts', '--help'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, DATA_DIR: folder },
      encoding: 'utf8',
    })
    const commands = [...stdout.matchAll(/^ {2}(\S.*)$/gm)].map(([, usage]) => usage)
    assert.ok(commands.length > 0, stderr)
    return commands
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('GET /docs', async () => {
  const [database] = databases
  const service = await startService({ after }, database)

  test('needs no token, and may talk to nobody but this server', async () => {
    const response = await fetch(`${service.url}/docs`)

    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    const policy = response.headers.get('content-security-policy')!
    assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-[\w+/]+=';/)
    assert.match(policy, /; connect-src 'self';/)
    const page = await response.text()
    const [, setUp] = /<script>([^<]+)<\/script>/.exec(page)!
    assert.ok(policy.includes(`'sha256-${hash('sha256', setUp, 'base64')}'`))
    assert.match(setUp, /"url":"tracks\.openapi\.json"/)
  })

  test('loads a program that is cacheable forever, compressed', async () => {
    const page = await (await fetch(`${service.url}/docs`)).text()
    const [, address] = /<script src="([^"]+)"/.exec(page)!

    const response = await fetch(new URL(address, `${service.url}/docs`), { headers: { 'accept-encoding': 'br' } })

    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type')!, /^(text|application)\/javascript/)
    assert.match(response.headers.get('cache-control')!, /immutable/)
    assert.equal(response.headers.get('content-encoding'), 'br')
    assert.match(await response.text(), /Scalar/)
  })

  test('redirects the address with a trailing slash', async () => {
    const response = await fetch(`${service.url}/docs/`)

    assert.equal(new URL(response.url).pathname, '/docs')
    assert.equal(response.status, 200)
  })
})
