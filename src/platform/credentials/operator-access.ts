import { defineError } from '../basics/errors.ts'

/** The roles of operators. Each includes the rights of the roles before it. */
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

/** Makes the rights of an operator. An owner reaches everything, even with other limits given. */
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

/**
 * Effects of what an operator does on the data that the server keeps, and on who has it:
 *
 * - `reads` shows what the operator's role may see.
 * - `changes` can be changed back.
 * - `releases` puts a document before its readers, also in place of an earlier file: the daily work of an editor.
 * - `equips` makes and shows the codes of participants, with which a phone records in one name: the work of a race day.
 * - `admits` lets somebody in: a token, a key, an account, a way to sign in.
 * - `erases` removes for good.
 * - `publishes` shows to others what was not shown so far.
 * - `exports` hands out a secret, or the data of many at once, or sends it elsewhere from then on.
 */
export const OPERATOR_EFFECTS = [
  'reads',
  'changes',
  'releases',
  'equips',
  'admits',
  'erases',
  'publishes',
  'exports',
] as const
export type OperatorEffect = (typeof OPERATOR_EFFECTS)[number]

/** Time for which a confirmation is recent: long enough for several steps, too short for a browser left open. */
export const RECENT_MS = 600_000
/** A working day, at whose beginning an editor signs in. */
const DAY_OF_WORK_MS = 12 * 3_600_000

/**
 * Age that the latest confirmation may have for each effect; Infinity where none is needed. Nothing takes back the
 * effects that need a recent one, so that a browser left open must not be enough for them.
 */
const CONFIRMED_FOR_MS: Readonly<Record<OperatorEffect, number>> = {
  reads: Number.POSITIVE_INFINITY,
  changes: Number.POSITIVE_INFINITY,
  releases: DAY_OF_WORK_MS,
  equips: DAY_OF_WORK_MS,
  admits: RECENT_MS,
  erases: RECENT_MS,
  publishes: RECENT_MS,
  exports: RECENT_MS,
}

/** Tells whether an effect needs a confirmation, for every method of a request. */
export function needsConfirmation(effect: OperatorEffect): boolean {
  return CONFIRMED_FOR_MS[effect] !== Number.POSITIVE_INFINITY
}

/** Tells whether a confirmation is recent enough for an effect. Signing in counts as one. */
export function isConfirmedFor(effect: OperatorEffect, confirmedAtMs: number, nowMs: number): boolean {
  return nowMs < confirmedAtMs + CONFIRMED_FOR_MS[effect]
}

/** Names the confirmation that an effect needs. */
export function confirmationFor(effect: OperatorEffect): string {
  return CONFIRMED_FOR_MS[effect] > RECENT_MS ? 'confirmation within the last 12 hours' : 'recent confirmation'
}

export const insufficientRole = defineError(
  'INSUFFICIENT_ROLE',
  403,
  'This needs another role of the operator. `needed_role` names it.',
)
export const confirmationRequired = defineError(
  'CONFIRMATION_REQUIRED',
  403,
  'Confirm that it is you, with `POST /operator/session/confirmation`, and send the request again.',
)
export const secondFactorRequired = defineError(
  'SECOND_FACTOR_REQUIRED',
  403,
  'This server requires a second factor. Set up an authenticator app or a passkey first.',
)
