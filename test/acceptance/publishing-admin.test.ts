import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openInstallation } from '../durability/installation.ts'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { listPublications, publishPdf } from '../support/publish.ts'
import { readZipBytes } from '../support/read-zip.ts'
import { publisher, startPublishing } from './start-publishing.ts'

type Workspace = { id: string; name: string; api_key: string }

const API_KEY = /^pub_[\w-]{43}$/

for (const database of databases) {
  describe(`workspaces of the admin command on ${database.name}`, async () => {
    const running = await startPublishing({ after }, database)

    test('are created, listed, shown and deleted in an empty installation', async (t) => {
      const installation = await openInstallation(t, database.open)

      const created = await installation.command('workspaces', 'create', 'Press')
      const workspace = created.answer as Workspace
      const listed = await installation.command('workspaces', 'list')
      const shown = await installation.command('workspaces', 'key', workspace.id)
      const deleted = await installation.command('workspaces', 'delete', workspace.id)
      const empty = await installation.command('workspaces', 'list')

      assert.deepEqual(Object.keys(workspace), ['id', 'name', 'api_key'])
      assert.equal(workspace.name, 'Press')
      assert.match(workspace.api_key, API_KEY)
      const [entry, ...others] = listed.answer as { id: string; name: string; created_at: string }[]
      assert.deepEqual([entry.id, entry.name, others], [workspace.id, 'Press', []])
      assert.equal(new Date(entry.created_at).toISOString(), entry.created_at)
      assert.equal(JSON.stringify(listed.answer).includes('pub_'), false)
      assert.deepEqual(shown.answer, workspace)
      assert.deepEqual(deleted.answer, { id: workspace.id })
      assert.deepEqual(empty.answer, [])
      for (const { exitCode, stderr } of [created, listed, shown, deleted, empty])
        assert.deepEqual([exitCode, stderr], [0, ''])
    })

    test('take effect on a running server at once', async () => {
      const { installation, url } = running
      const status = async ({ api_key }: Workspace) =>
        (await publisher(url, api_key).request('GET', '/publications')).status

      const workspace = (await installation.command('workspaces', 'create', 'Beside')).answer as Workspace
      assert.equal(await status(workspace), 200)
      const rotated = (await installation.command('workspaces', 'rotate', workspace.id)).answer as Workspace
      assert.deepEqual([await status(workspace), await status(rotated)], [401, 200])
      const kept = (await installation.command('workspaces', 'rotate', workspace.id, '--keep', '24h'))
        .answer as Workspace
      assert.deepEqual([await status(workspace), await status(rotated), await status(kept)], [401, 200, 200])
      const last = (await installation.command('workspaces', 'rotate', workspace.id, '--keep', '1s'))
        .answer as Workspace
      await setTimeout(1100)
      assert.deepEqual([await status(rotated), await status(kept), await status(last)], [401, 401, 200])
      await installation.command('workspaces', 'delete', workspace.id)

      assert.equal(await status(last), 401)
      for (const { id, name, api_key } of [rotated, kept, last]) {
        assert.deepEqual([id, name], [workspace.id, 'Beside'])
        assert.match(api_key, API_KEY)
      }
    })

    test('are deleted with their publications and no others', async () => {
      const { installation, url, ...service } = running
      const gone = (await installation.command('workspaces', 'create', 'Gone')).answer as Workspace
      const kept = await publishPdf({ url, ...service }, { title: 'Kept' })
      const { slug } = await publishPdf(publisher(url, gone.api_key), { title: 'Gone with it' })

      await installation.command('workspaces', 'delete', gone.id)

      await readProblem(await service.read(`/publications/${slug}/pdf`), 404, 'NOT_FOUND')
      assert.equal((await service.read(`/p/${slug}`)).status, 404)
      assert.deepEqual(
        (await listPublications({ url, ...service })).map(({ id }) => id),
        [kept.id],
      )
    })

    test('a publication is exported as a folder, and nothing is left of an export that fails', async () => {
      const { installation, url } = running
      const folder = mkdtempSync(join(tmpdir(), 'export-'))
      after(() => rmSync(folder, { recursive: true }))
      const workspace = (await installation.command('workspaces', 'create', 'Taken away')).answer as Workspace
      const { slug } = await publishPdf(publisher(url, workspace.api_key), { title: 'Taken away' })
      const file = join(folder, 'book.zip')
      const exported = async () => await installation.command('publications', 'export', slug, file)
      let result = await exported()
      // Images in further sizes follow the first ones.
      for (; result.exitCode !== 0; result = await exported()) assert.match(result.stderr, /once all of its pages/)

      assert.deepEqual(result.answer, { slug, file })
      const names = [...(await readZipBytes(readFileSync(file))).keys()]
      assert.ok(names.includes(`${slug}/index.html`) && names.includes(`${slug}/document.pdf`))
      const failed = await installation.command('publications', 'export', 'not-there', join(folder, 'other.zip'))
      assert.equal(failed.exitCode, 1)
      assert.deepEqual(readdirSync(folder), ['book.zip'])
    })

    test('mistakes are reported on standard error with exit code 1, and nothing on standard output', async () => {
      const { installation } = running
      const unknown = '00000000-0000-4000-8000-000000000000'
      const mistakes: [words: string[], says: RegExp][] = [
        [['workspaces', 'create'], /Usage: admin workspaces create <name>/],
        [['workspaces', 'rotate', unknown], /Workspace not found/],
        [['workspaces', 'rotate', unknown, '--keep', 'soon'], /not a length of time/],
        [['workspaces', 'delete', unknown], /Workspace not found/],
        [['workspaces', 'key', unknown], /Workspace not found/],
      ]

      for (const [words, says] of mistakes) {
        const { exitCode, answer, stderr } = await installation.command(...words)

        assert.deepEqual([exitCode, answer], [1, undefined], words.join(' '))
        assert.match(stderr, says)
        assert.doesNotMatch(stderr, /\n +at /)
      }
    })
  })
}
