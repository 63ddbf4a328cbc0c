import { useTranslation } from 'react-i18next'
import { hasStatus } from '../api/api-error.ts'
import type { ProviderVisit } from '../api/provider.ts'
import { Failure } from '../feedback/failure.tsx'
import { FormAlert } from '../forms/form-alert.tsx'
import type { Key } from '../i18n/en.ts'

const TEXTS: [number, Key][] = [
  [401, 'provider.refused'],
  [403, 'provider.noRole'],
  [410, 'provider.ended'],
  [503, 'provider.unavailable'],
]

/** Says why the identity provider did not sign in or confirm. */
export function ProviderFailed({ error, purpose }: { error: unknown } & Pick<ProviderVisit, 'purpose'>) {
  const { t } = useTranslation()
  if (purpose === 'confirm' && hasStatus(error, 403)) return <FormAlert>{t('provider.notConfirmed')}</FormAlert>
  const text = TEXTS.find(([status]) => hasStatus(error, status))
  return text === undefined ? <Failure error={error} /> : <FormAlert>{t(text[1])}</FormAlert>
}
