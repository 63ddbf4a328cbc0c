import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { UsageError } from '#platform/basics/command.ts'
import { AppError } from '#platform/basics/errors.ts'
import { operatorCommands } from '../../src/operator/accounts/operator-commands.ts'
import { NO_PROVIDER } from '../../src/operator/model/provider-accounts.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

type Made = { id: string; name: string; url: string; expires_at: string; role: string; limited_to: object | null }

const BASE_URL = 'https://tracks.example.org'

describeOn(oneDatabase, 'the admin command', async (database) => {
  const operator = await startOperator({ after }, database)
  operator.clock.nowMs += 1000
  const commands = operatorCommands({
    database: operator.service.deps.database,
    baseUrl: BASE_URL,
    known: { events: undefined, workspaces: async (id) => id !== 'gone' },
    providerAccounts: NO_PROVIDER,
    now: () => operator.clock.nowMs,
  })
  const run = async (usage: string, ...args: string[]) =>
    (await commands.find((command) => command.usage.startsWith(usage))!.run(args, {})) as Made

  const use = ({ url }: Made) =>
    operator.browser().request('POST', '/operator/sign-in-link', { token: url.split('#token=')[1], password: PASSWORD })

  test('creates an operator, who signs in with the printed link', async () => {
    const made = await run('operators create', 'Camille')

    assert.deepEqual(Object.keys(made), ['id', 'name', 'role', 'limited_to', 'url', 'expires_at'])
    assert.ok(made.url.startsWith(`${BASE_URL}/dashboard/sign-in#token=lnk_`))
    await answered(200, use(made))
  })

  test('prints a link for the first operator, or for a named one', async () => {
    operator.clock.nowMs += 1000
    await run('operators create', 'Dominique')

    const first = await run('operators sign-in-link')
    const named = await run('operators sign-in-link', 'dominique')

    assert.deepEqual([first.name, named.name], ['operator', 'Dominique'])
    assert.equal(Date.parse(first.expires_at), operator.clock.nowMs + 3_600_000)
    await answered(200, use(first))
    await answered(200, use(named))
    await readProblem(await use(first), 410, 'GONE')
  })

  test('gives operators a role, for everything or for some events and workspaces', async () => {
    const create = commands.find(({ usage }) => usage.startsWith('operators create'))!
    const role = commands.find(({ usage }) => usage.startsWith('operators role'))!
    const rightsOf = ({ role, limited_to }: Made) => [role, limited_to]

    const made = (await create.run(['Noa'], { role: 'editor', event: 'a,b' })) as Made
    const widened = (await role.run(['noa', 'viewer'], {})) as Made
    const promoted = (await role.run(['noa', 'owner'], {})) as Made

    assert.deepEqual(rightsOf(made), ['editor', { events: ['a', 'b'], workspaces: [] }])
    assert.deepEqual(
      [rightsOf(widened), rightsOf(promoted)],
      [
        ['viewer', null],
        ['owner', null],
      ],
    )
    await assert.rejects(role.run(['noa', 'admin'], {}), /A role is one of viewer, editor, owner/)
    await assert.rejects(role.run(['noa', 'owner'], { event: 'a' }), /An owner cannot be limited/)
    await assert.rejects(role.run(['noa', 'viewer'], { workspace: 'gone' }), /There is no workspace gone/)
    await role.run(['noa', 'viewer'], {})
  })

  test('keeps the last owner', async () => {
    const lastOwner = /The last owner can neither be deleted nor get another role/
    const { operators } = operator.service.deps
    for (const { id, name } of await operators.list()) if (name !== 'operator') await operators.delete(id)
    const role = commands.find(({ usage }) => usage.startsWith('operators role'))!

    await assert.rejects(role.run(['operator', 'editor'], {}), lastOwner)
    await assert.rejects(run('operators delete', 'operator'), lastOwner)
  })

  test('lists and deletes operators, and ends their sessions at once', async () => {
    const browser = operator.browser()
    const made = await run('operators create', 'Frédérique')
    const token = made.url.split('#token=')[1]
    await answered(200, browser.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }))

    const deleted = await run('operators delete', 'FRÉDÉRIQUE')

    assert.deepEqual(deleted, { id: made.id })
    await readProblem(await browser.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
    const left = (await run('operators list')) as unknown as Made[]
    assert.ok(left.length > 0 && left.every(({ id }) => id !== made.id))
  })

  test('reports invalid arguments', async () => {
    await assert.rejects(run('operators create'), UsageError)
    await assert.rejects(run('operators create', ' Camille'), UsageError)
    await assert.rejects(run('operators create', 'x'.repeat(101)), UsageError)
    await assert.rejects(run('operators create', 'OPERATOR'), AppError)
    await assert.rejects(run('operators delete', 'nobody'), AppError)
    await assert.rejects(run('operators sign-in-link', 'nobody'), AppError)
  })
})
