import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import { type SpentChallenge, spendChallenge } from '../model/factors-store.ts'
import type { ProviderAccounts } from '../model/provider-accounts.ts'
import type { OperatorRow, OperatorTables, SessionRow } from '../model/tables.ts'
import {
  addOperator,
  changeAccount,
  decideChange,
  findOperator,
  type Person,
  type ProviderChange,
} from './provider-changes.ts'

/** The end of a sign-in through the provider. */
type ProviderSignIn =
  | { outcome: 'signed in'; session: SessionRow; operator: OperatorRow; isNew: boolean }
  | { outcome: 'no role'; operatorId: string | undefined; isSuspended: boolean }
  | { outcome: 'used' }

/** A person, or one session of it, that the provider signs out. */
type SignedOut = { issuer: string; subject: string | undefined; sessionId: string | undefined }

type Options = { accounts: ProviderAccounts; reachesEverything: boolean; now: () => number }

const ONE_BY_ONE = { isolation: 'serializable' } as const

/** Accounts of people who sign in through a provider, bound to the issuer and the subject there. */
export function createIdentitiesStore(
  db: Kysely<OperatorTables>,
  { accounts: { issuersWithoutCredentials }, reachesEverything, now }: Options,
) {
  const decide = (at: Kysely<OperatorTables>, person: Person, known: OperatorRow | undefined) =>
    decideChange(at, person, known, issuersWithoutCredentials)

  return {
    /** Returns the changes that the groups of a person would make, for the audit log. */
    planChange: async (person: Person): Promise<ProviderChange | undefined> =>
      await decide(db, person, await findOperator(db, person)),

    /**
     * Opens a session for a person: makes the account at first, gives it the role of today, and ends a suspension. The
     * last owner who can sign in here keeps that role. A person without a role gets no session: the account is
     * suspended.
     */
    async signIn(
      person: Person,
      challenge: SpentChallenge,
      newSession: (operatorId: string) => SessionRow,
    ): Promise<ProviderSignIn> {
      return await inTransaction(
        db,
        async (transaction): Promise<ProviderSignIn> => {
          if (!(await spendChallenge(transaction, challenge))) return { outcome: 'used' }
          const known = await findOperator(transaction, person)
          const change = await decide(transaction, person, known)
          if (known !== undefined && change !== undefined) await changeAccount(transaction, change, now())
          const { role } = person
          if (role === undefined)
            return { outcome: 'no role', operatorId: known?.id, isSuspended: change !== undefined }
          const operator = known ?? (await addOperator(transaction, person, { role, reachesEverything, nowMs: now() }))
          const session = newSession(operator.id)
          const signedIn = { last_sign_in_at: session.created_at }
          await transaction.updateTable('operators').set(signedIn).where('id', '=', operator.id).execute()
          await transaction.insertInto('sessions').values(session).execute()
          return { outcome: 'signed in', session, operator, isNew: known === undefined }
        },
        ONE_BY_ONE,
      )
    },

    /**
     * Uses the answer of a provider to confirm a session, and changes the account as a sign-in does: `another` if the
     * person is not its operator, `no role` if the person has none any more.
     */
    async confirm(
      operatorId: string,
      person: Person,
      challenge: SpentChallenge,
    ): Promise<'confirmed' | 'another' | 'no role' | 'used'> {
      return await inTransaction(
        db,
        async (transaction) => {
          if (!(await spendChallenge(transaction, challenge))) return 'used'
          const known = await findOperator(transaction, person)
          if (known?.id !== operatorId) return 'another'
          const change = await decide(transaction, person, known)
          if (change !== undefined) await changeAccount(transaction, change, now())
          return person.role === undefined ? 'no role' : 'confirmed'
        },
        ONE_BY_ONE,
      )
    },

    /** Returns the operators whose sessions `endSessions` would end; undefined if the challenge was used. */
    findSignedOut: (signedOut: SignedOut, challenge: SpentChallenge) => findSignedOut(db, signedOut, challenge),

    /**
     * Ends one session, or all of a person. Sessions of which the provider's id is not known end with any of the
     * person. Returns their number; undefined if the challenge was used.
     */
    async endSessions(signedOut: SignedOut, challenge: SpentChallenge): Promise<number | undefined> {
      return await inTransaction(db, async (transaction) => {
        if (!(await spendChallenge(transaction, challenge))) return undefined
        const ended = sessionsOf(transaction, signedOut).select('token_sha256')
        const [{ numDeletedRows }] = await transaction
          .deleteFrom('sessions')
          .where('token_sha256', 'in', ended)
          .execute()
        return Number(numDeletedRows)
      })
    },

    /** Returns the issuers of the persons who are an operator. */
    async issuersOf(operatorId: string): Promise<string[]> {
      const rows = await db.selectFrom('identities').select('issuer').where('operator_id', '=', operatorId).execute()
      return rows.map(({ issuer }) => issuer)
    },
  }
}

async function findSignedOut(db: Kysely<OperatorTables>, signedOut: SignedOut, { challengeSha256 }: SpentChallenge) {
  const used = db.selectFrom('used_challenges').select('expires_at').where('challenge_sha256', '=', challengeSha256)
  if ((await used.executeTakeFirst()) !== undefined) return undefined
  return await db
    .selectFrom('operators')
    .select(['id', 'name'])
    .where('id', 'in', sessionsOf(db, signedOut).select('operator_id'))
    .execute()
}

function sessionsOf(db: Kysely<OperatorTables>, { issuer, subject, sessionId }: SignedOut) {
  const persons = db.selectFrom('identities').select('identities.operator_id').where('issuer', '=', issuer)
  const meant = subject === undefined ? persons : persons.where('subject', '=', subject)
  const sessions = db.selectFrom('sessions').where('sessions.operator_id', 'in', meant)
  if (sessionId === undefined) return sessions
  return sessions.where((row) => {
    const own = row('provider_session_id', '=', sessionId)
    return subject === undefined ? own : row.or([own, row('provider_session_id', 'is', null)])
  })
}
