import assert from 'node:assert/strict'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import type { OperatorCreated, OperatorList, OperatorSettings } from '../../src/operator/model/schemas.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

describeOn(databases, 'operators', (database, once) => {
  const create = (browser: Browser, name: unknown) =>
    browser.request('POST', '/operator/operators', { name, role: 'owner' })
  const list = async (browser: Browser) =>
    (await answered<OperatorList>(200, browser.request('GET', '/operator/operators'))).operators

  async function follow(browser: Browser, { sign_in_link: { url } }: OperatorCreated): Promise<Browser> {
    const token = url.split('#token=')[1]
    await answered(200, browser.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }))
    return browser
  }

  test('are created by other operators, and first sign in with a link', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    operator.clock.nowMs += 1000

    const made = await answered<OperatorCreated>(201, create(browser, 'Camille'))
    const before = await list(browser)
    const theirs = await follow(operator.browser(), made)

    assert.equal(made.has_password, false)
    assert.deepEqual(
      before.map(({ name, has_password, last_sign_in_at }) => [name, has_password, last_sign_in_at === null]),
      [
        ['operator', true, false],
        ['Camille', false, true],
      ],
    )
    assert.equal((await list(theirs))[1].has_password, true)
    const { operator: who } = await answered<{ operator: object }>(200, theirs.request('GET', '/operator/session'))
    assert.deepEqual(who, { id: made.id, name: 'Camille', role: 'owner', limited_to: null })
  })

  test('have unique names, ignoring case', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    await answered(201, create(browser, 'Élodie'))

    await readProblem(await create(browser, 'éLODIE'), 409, 'CONFLICT')
    await readProblem(await create(browser, 'OPERATOR'), 409, 'CONFLICT')
    for (const name of ['', ' x', 'x ', 'a\nb', 'x'.repeat(101), 7, undefined])
      assert.deepEqual(await wrongPlaces(await create(browser, name)), ['name'])
  })

  test('lose their sessions and links when deleted', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const made = await answered<OperatorCreated>(201, create(browser, 'Camille'))
    const theirs = await follow(operator.browser(), made)
    const link = await answered<{ url: string }>(
      201,
      browser.request('POST', `/operator/operators/${made.id}/sign-in-link`),
    )

    const deleted = await browser.request('DELETE', `/operator/operators/${made.id}`)

    assert.equal(deleted.status, 204)
    await readProblem(await theirs.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
    const used = await operator
      .browser()
      .request('POST', '/operator/sign-in-link', { token: link.url.split('#token=')[1], password: PASSWORD })
    await readProblem(used, 410, 'GONE')
    assert.deepEqual(
      (await list(browser)).map(({ name }) => name),
      ['operator'],
    )
  })

  test('cannot delete the last owner, even when two delete each other', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const [{ id }] = await list(browser)
    await readProblem(await browser.request('DELETE', `/operator/operators/${id}`), 409, 'CONFLICT')
    const made = await answered<OperatorCreated>(201, create(browser, 'Camille'))
    const theirs = await follow(operator.browser(), made)

    const answers = await Promise.all([
      browser.request('DELETE', `/operator/operators/${made.id}`),
      theirs.request('DELETE', `/operator/operators/${id}`),
    ])

    const statuses = answers.map(({ status }) => status).sort()
    assert.ok(['204,401', '204,409'].includes(statuses.join()), statuses.join())
  })

  once('that do not exist answer 404', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()

    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', "' or 1=1 --"]) {
      const path = `/operator/operators/${encodeURIComponent(id)}`
      await readProblem(await browser.request('DELETE', path), 404, 'NOT_FOUND')
      await readProblem(await browser.request('POST', `${path}/sign-in-link`), 404, 'NOT_FOUND')
    }
  })

  once('receive the settings of the dashboard', async (t) => {
    const operator = await startOperator(t, database, {
      services: ['tracks', 'dashboard'],
      settings: { PUBLIC_URL: 'https://public.example.org', MAX_UPLOAD_BYTES: '1000000' },
    })
    const browser = await operator.signedIn()

    const settings = await answered<OperatorSettings>(200, browser.request('GET', '/operator/settings'))

    assert.deepEqual(settings, {
      base_url: operator.url,
      public_url: 'https://public.example.org',
      max_upload_bytes: 1_000_000,
      second_factor_required: false,
      new_accounts_reach: null,
      version: packageJson.version,
      services: ['tracks', 'dashboard'],
    })
  })
})
