import { useTranslation } from 'react-i18next'
import { ApiError, hasStatus } from '../api/api-error.ts'
import { Failure } from '../feedback/failure.tsx'
import { FormAlert } from '../forms/form-alert.tsx'
import type { Key } from '../i18n/en.ts'

/** Texts for the errors of browsers (Web Authentication, 5.1.3 and 5.1.4), by their names. */
const BY_NAME: Record<string, Key> = {
  NotAllowedError: 'passkey.cancelled',
  AbortError: 'passkey.cancelled',
  InvalidStateError: 'passkey.exists',
  ConstraintError: 'passkey.impossible',
  NotSupportedError: 'passkey.impossible',
}

/** Says why no passkey was created or used. */
export function PasskeyFailed({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (hasStatus(error, 401) || hasStatus(error, 403)) return <FormAlert>{t('passkey.wrong')}</FormAlert>
  if (hasStatus(error, 410)) return <FormAlert>{t('secondFactor.ended')}</FormAlert>
  if (error instanceof ApiError) return <Failure error={error} />
  const name = error instanceof Error ? error.name : ''
  if (name === 'SecurityError') return <FormAlert>{t('passkey.wrongSite', { address: location.origin })}</FormAlert>
  const key = BY_NAME[name]
  return key === undefined ? <Failure error={error} /> : <FormAlert>{t(key)}</FormAlert>
}
