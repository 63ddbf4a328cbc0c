import { type Command, requireArgument, UsageError } from '#platform/basics/command.ts'
import { OPERATOR_ROLES, type OperatorRole } from '#platform/credentials/operator-access.ts'
import type { Database } from '#platform/database/database.ts'
import { operatorNotFound } from '../model/errors.ts'
import { createFactorsStore, type FactorsStore, hasFactor } from '../model/factors-store.ts'
import type { OperatorRights } from '../model/operator-rights.ts'
import type { ProviderAccounts } from '../model/provider-accounts.ts'
import { isOperatorName, MAX_NAME_LENGTH, operatorNameKey } from '../model/sign-in-rules.ts'
import type { OperatorRow, OperatorTables } from '../model/tables.ts'
import {
  createOperatorAccounts,
  findUnknown,
  type KnownThings,
  operatorJson,
  signInLinkJson,
} from './operator-accounts.ts'
import { createOperatorsStore } from './operators-store.ts'

type Options = {
  database: Database<OperatorTables>
  /** Address that sign-in links begin with. */
  baseUrl: string
  /** Finds the events and workspaces that operators are limited to. */
  known: KnownThings
  providerAccounts: ProviderAccounts
  now: () => number
}

/** Commands on operators. */
export function operatorCommands({ database, baseUrl, known, providerAccounts, now }: Options): Command[] {
  const operators = createOperatorsStore(database.db, providerAccounts)
  const accounts = createOperatorAccounts(operators, now)
  const factors = createFactorsStore(database.db)

  async function requireOperator(name: string) {
    const operator = await operators.findByName(operatorNameKey(name))
    if (operator === undefined) throw operatorNotFound()
    return operator
  }

  async function rightsIn(role: string, { event, workspace }: LimitOptions): Promise<OperatorRights> {
    if (!isRole(role)) throw new UsageError(`A role is one of ${OPERATOR_ROLES.join(', ')}`)
    if (event === undefined && workspace === undefined) return { role, limitedTo: null }
    if (role === 'owner') throw new UsageError('An owner cannot be limited to events or workspaces')
    const limitedTo = { events: idsIn(event), workspaces: idsIn(workspace) }
    const [unknown] = await findUnknown(limitedTo, known)
    if (unknown !== undefined) throw new UsageError(`There is no ${NAMES[unknown.kind]} ${unknown.id}`)
    return { role, limitedTo }
  }

  const list: Command = {
    usage: 'operators list',
    doc: 'Lists the operators, who can sign in to the dashboard.',
    isReadOnly: true,
    async run() {
      const withFactor = await factors.operatorsWithFactor()
      return (await operators.list()).map((operator) => operatorJson(operator, withFactor.has(operator.id)))
    },
  }
  const create: Command = {
    usage: 'operators create <name> [--role owner] [--event <id,id>] [--workspace <id,id>]',
    doc: 'Creates an operator, by default an owner, and prints the link for the first sign-in.',
    async run(args, options) {
      const name = requireArgument(args, 0, create)
      if (!isOperatorName(name))
        throw new UsageError(
          `A name must be one line of at most ${MAX_NAME_LENGTH} characters and must not begin or end with a space`,
        )
      const rights = await rightsIn(options.role ?? 'owner', options)
      const { operator, link } = await accounts.create(name, rights)
      const { role, limited_to } = operatorJson(operator, false)
      return { id: operator.id, name, role, limited_to, ...signInLinkJson(link, baseUrl) }
    },
  }
  const role: Command = {
    usage: 'operators role <name> <role> [--event <id,id>] [--workspace <id,id>]',
    doc: 'Gives an operator the role owner, editor or viewer, for everything or for what is named, and prints it.',
    async run(args, options) {
      const { id } = await requireOperator(requireArgument(args, 0, role))
      const rights = await rightsIn(requireArgument(args, 1, role), options)
      return operatorJson(await operators.changeRights(id, () => rights), hasFactor(await factors.summary(id)))
    },
  }
  const link: Command = {
    usage: 'operators sign-in-link [<name>]',
    doc: 'Creates a link to set a new password, for the first operator if no name is given.',
    async run([name]) {
      const operator = name === undefined ? (await operators.list())[0] : await requireOperator(name)
      if (operator === undefined)
        throw operatorNotFound({ detail: 'No operator exists. Create one with operators create.' })
      const made = await accounts.recover(operator.id)
      return { id: operator.id, name: operator.name, ...signInLinkJson(made, baseUrl) }
    },
  }
  const remove: Command = {
    usage: 'operators delete <name>',
    doc: 'Deletes an operator and ends their sessions at once.',
    async run(args) {
      const { id } = await requireOperator(requireArgument(args, 0, remove))
      await operators.delete(id)
      return { id }
    },
  }
  return [create, list, role, link, resetFactorsCommand(factors, requireOperator), remove]
}

const NAMES = { events: 'event', workspaces: 'workspace' }

type LimitOptions = { event?: string | undefined; workspace?: string | undefined }

function isRole(text: string): text is OperatorRole {
  return OPERATOR_ROLES.some((role) => role === text)
}

function idsIn(list = ''): string[] {
  return list.split(',').filter((id) => id !== '')
}

/** For an operator who has lost the second factor and the recovery codes. The password stays. */
function resetFactorsCommand(factors: FactorsStore, requireOperator: (name: string) => Promise<OperatorRow>): Command {
  const reset: Command = {
    usage: 'operators reset-factors <name>',
    doc: 'Removes the authenticator app, passkeys and recovery codes of an operator, and ends their sessions.',
    async run(args) {
      const { id, name } = await requireOperator(requireArgument(args, 0, reset))
      const { appSinceMs, passkeys, recoveryCodesLeft } = await factors.summary(id)
      const endedSessions = await factors.reset(id)
      return {
        id,
        name,
        removed: { authenticator_app: appSinceMs !== undefined, passkeys, recovery_codes: recoveryCodesLeft },
        ended_sessions: endedSessions,
      }
    },
  }
  return reset
}
