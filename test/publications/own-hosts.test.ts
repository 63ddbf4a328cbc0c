import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WorkspaceFace } from '../../src/publications/shelf/schemas.ts'
import { databases } from '../support/databases.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { signIn } from '../support/sign-in.ts'

const PUBLIC = 'https://read.example.org'
const OWN = 'reports.example.com'

for (const database of databases) {
  describe(`the host name of a workspace on ${database.name}`, async () => {
    const { service, browser, ask, createWorkspace } = await startLibrary({ after }, database, {
      settings: { PUBLIC_URL: PUBLIC, CDN_URL: 'https://images.example.org' },
    })
    const ofFace = (id: string) => `/operator/workspaces/${id}/face`
    const give = async (id: string, domain: string | null) =>
      await browser.request('PUT', `${ofFace(id)}/domain`, { domain })
    const isAllowed = async (domain: string) =>
      (await fetch(new URL(`/domains/allowed?domain=${encodeURIComponent(domain)}`, service.url))).status
    const { id } = await createWorkspace('City')
    const { id: other } = await createWorkspace('Lake')

    test('belongs to a workspace with a public face, in lower case and ASCII', async () => {
      await readProblem(await give(id, OWN), 404, 'NOT_FOUND')
      await ask(200, 'PUT', ofFace(id), { slug: 'city', name: 'City' })

      const face = (await (await give(id, ` Bücher.Example.COM. `)).json()) as WorkspaceFace

      assert.equal(face.domain, 'xn--bcher-kva.example.com')
      await ask(200, 'PUT', ofFace(id), { slug: 'city', name: 'City archive' })
      const { face: kept } = await ask<{ face: WorkspaceFace }>(200, 'GET', ofFace(id))
      assert.equal(kept.domain, face.domain)
      assert.equal(((await (await give(id, OWN)).json()) as WorkspaceFace).domain, OWN)
    })

    test('is refused where it is no name, is one of this server, or is taken', async () => {
      for (const domain of ['', 'localhost', '192.0.2.1', 'https://a.example', 'a.example:80', 'a@b.example'])
        assert.deepEqual(await wrongPlaces(await give(id, domain)), ['domain'], domain)
      for (const domain of ['read.example.org', 'IMAGES.example.org.'])
        assert.match((await readProblem(await give(id, domain), 409, 'CONFLICT')).detail, /of this server/)
      await ask(200, 'PUT', ofFace(other), { slug: 'lake', name: 'Lake' })
      assert.match((await readProblem(await give(other, OWN), 409, 'CONFLICT')).detail, /Another workspace/)
      assert.equal((await give(id, OWN)).status, 200)
    })

    test('is given by owners', async () => {
      const editor = await signIn(service, { role: 'editor', limitedTo: null })
      const refused = await editor.request('PUT', `${ofFace(id)}/domain`, { domain: OWN })
      await readProblem(refused, 403, 'INSUFFICIENT_ROLE')
    })

    test('is what a proxy may fetch a certificate for, and no other name is', async () => {
      assert.equal(await isAllowed(OWN), 200)
      assert.equal(await isAllowed(`${OWN.toUpperCase()}.`), 200)
      for (const domain of ['', 'x', 'read.example.org', `www.${OWN}`, 'xn--bcher-kva.example.com', `${OWN}:443`])
        assert.equal(await isAllowed(domain), 404, domain)
      for (const query of ['', '?domain', `?domain=${OWN}&domain=${OWN}`, `?domain[]=${OWN}`])
        assert.equal((await fetch(new URL(`/domains/allowed${query}`, service.url))).status, 404, query)
    })

    test('is free again once it is removed, with the face, or with the workspace', async () => {
      await give(id, null)
      assert.equal(await isAllowed(OWN), 404)
      assert.equal((await give(other, OWN)).status, 200)
      await ask(204, 'DELETE', ofFace(other))
      assert.equal(await isAllowed(OWN), 404)
      assert.equal((await give(id, OWN)).status, 200)
      await ask(204, 'DELETE', `/operator/workspaces/${id}`)
      assert.equal(await isAllowed(OWN), 404)
    })
  })
}
