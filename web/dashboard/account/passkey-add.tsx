import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { createPasskey } from '../api/passkeys.ts'
import { queryKeys } from '../api/query-keys.ts'
import { notify } from '../feedback/notify.ts'
import { PasskeyFailed } from '../sign-in/passkey-failed.tsx'
import { PasskeyNameForm } from './passkey-name-form.tsx'

/** Asks for the name of a new passkey, and lets the browser create it. */
export function PasskeyAdd({ onAdded, onCancel }: { onAdded(codes: string[] | null): void; onCancel(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const adding = useMutation({
    mutationFn: (name: string) => createPasskey(name),
    onSuccess: async ({ recovery_codes }) => {
      notify(t('passkey.added'))
      onAdded(recovery_codes)
      await client.invalidateQueries({ queryKey: queryKeys.secondFactors })
    },
  })
  return (
    <PasskeyNameForm
      name=""
      onSubmit={(name) => adding.mutate(name)}
      submitting={adding}
      submitLabel={t('passkey.create')}
      onCancel={onCancel}
      describe={(error) => <PasskeyFailed error={error} />}
    />
  )
}
