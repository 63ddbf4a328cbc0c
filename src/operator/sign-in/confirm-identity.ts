import { invalidFields } from '#platform/errors.ts'
import { passkeyRefused, secondFactorNeeded, signsInAtProvider, wrongConfirmationCode } from '../errors.ts'
import type { SecondFactors } from '../factors/second-factors.ts'
import type { PasskeyChallenge, Passkeys } from '../passkeys/passkeys.ts'
import type { CredentialsStore } from '../storage/credentials-store.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import type { Authentication } from './authenticate.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** Proof that the operator of a session is still there: one of these. */
type IdentityProof = { password?: string; code?: string; passkey?: { id: string } }

export type ConfirmIdentityDeps = {
  authentication: Pick<Authentication, 'verifyPassword'>
  secondFactors: Pick<SecondFactors, 'match' | 'kindsOf'>
  passkeys: Pick<Passkeys, 'match'>
  credentials: Pick<CredentialsStore, 'spendFactor'>
  localCredentials: LocalCredentials
  throttle: SignInThrottle
}

/**
 * Checks the proof. A code or an answer of a passkey is used up by it. A password is no proof for an operator who has a
 * second factor: with it alone, somebody could remove that factor.
 * @throws signsInAtProvider, secondFactorNeeded, wrongPassword, wrongConfirmationCode or passkeyRefused; rateLimited;
 * invalidFields for none or several
 */
export async function confirmIdentity(
  session: OpenSession,
  { password, code, passkey }: IdentityProof,
  challenge: PasskeyChallenge | undefined,
  { authentication, secondFactors, passkeys, credentials, localCredentials, throttle }: ConfirmIdentityDeps,
): Promise<void> {
  const operatorId = session.operator_id
  if ([password, code, passkey].filter((given) => given !== undefined).length !== 1)
    throw invalidFields([{ path: '', message: 'must have one of password, code and passkey' }])
  if (await localCredentials.areRefusedTo(operatorId)) throw signsInAtProvider()
  if (password !== undefined) {
    if ((await secondFactors.kindsOf(operatorId)).length > 0) throw secondFactorNeeded()
    return await authentication.verifyPassword(session, password)
  }
  if (code !== undefined)
    // A lane of its own: a right password would start the count of the session over.
    return await throttle.attempt({ lane: `code of session ${session.token_sha256}` }, async () => {
      const use = await secondFactors.match(operatorId, code)
      if (use === undefined || !(await credentials.spendFactor(operatorId, use))) throw wrongConfirmationCode()
    })
  const matched = await passkeys.match(passkey!, 'confirm', challenge)
  if (matched?.operatorId !== operatorId || !(await credentials.spendFactor(operatorId, matched.use)))
    throw passkeyRefused()
}
