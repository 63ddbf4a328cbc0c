import { type Command, requireArgument, UsageError } from '#platform/command.ts'
import type { Database } from '#platform/database/database.ts'
import { createOperatorAccounts } from './accounts/operator-accounts.ts'
import { operatorJson, signInLinkJson } from './accounts/operator-json.ts'
import { isOperatorName, MAX_NAME_LENGTH, operatorNameKey } from './domain/operator-name.ts'
import { operatorNotFound } from './errors.ts'
import { createOperatorsStore } from './storage/operators-store.ts'
import type { OperatorTables } from './storage/tables.ts'

/** Commands on operators. `baseUrl` is the address that sign-in links begin with. */
export function operatorCommands(database: Database<OperatorTables>, baseUrl: string, now: () => number): Command[] {
  const operators = createOperatorsStore(database.db)
  const accounts = createOperatorAccounts(operators, now)

  async function requireOperator(name: string) {
    const operator = await operators.findByName(operatorNameKey(name))
    if (operator === undefined) throw operatorNotFound()
    return operator
  }

  const list: Command = {
    usage: 'operators list',
    doc: 'Lists the operators, who can sign in to the dashboard.',
    run: async () => (await operators.list()).map(operatorJson),
  }
  const create: Command = {
    usage: 'operators create <name>',
    doc: 'Creates an operator and prints the link for the first sign-in.',
    async run(args) {
      const name = requireArgument(args, 0, create)
      if (!isOperatorName(name))
        throw new UsageError(
          `A name must be one line of at most ${MAX_NAME_LENGTH} characters and must not begin or end with a space`,
        )
      const { operator, link } = await accounts.create(name)
      return { id: operator.id, name, ...signInLinkJson(link, baseUrl) }
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
  return [create, list, link, remove]
}
