import { insufficientRole } from './operator-errors.ts'

/** The roles of operators. Each may do what those before it may. */
export const OPERATOR_ROLES = ['viewer', 'editor', 'owner'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** The ids of the events and workspaces that an operator can reach, or all that there are and will be. */
export type OperatorReach = 'everything' | ReadonlySet<string>

/** The rights of a signed-in operator at the time of a request. */
export type OperatorAccess = {
  readonly role: OperatorRole
  readonly reach: OperatorReach
  /** Tells whether an event or a workspace is within reach. One that is not must look as though it did not exist. */
  mayRead(id: string): boolean
  /**
   * Refuses an operator without this role, or whose reach is limited if it must be everything.
   * @throws insufficientRole
   */
  require(role: OperatorRole, reach?: 'everything'): void
}

/** Makes the rights of an operator. An owner reaches everything, whatever is given. */
export function createOperatorAccess(role: OperatorRole, givenReach: OperatorReach): OperatorAccess {
  const reach = role === 'owner' ? 'everything' : givenReach
  return {
    role,
    reach,
    mayRead: (id) => reach === 'everything' || reach.has(id),
    require(needed, neededReach) {
      const isEnough =
        OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed) &&
        (neededReach === undefined || reach === 'everything')
      if (!isEnough) throw insufficientRole({ detail: refusal(needed, neededReach), members: { needed_role: needed } })
    },
  }
}

function refusal(role: OperatorRole, reach: 'everything' | undefined): string {
  const of = reach === undefined || role === 'owner' ? '' : ' of everything'
  return `This needs the role ${role}${of}.`
}
