import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Passkey, renamePasskey } from '../api/passkeys.ts'
import { queryKeys } from '../api/query-keys.ts'
import { Dialog } from '../components/dialog.tsx'
import { notify } from '../feedback/notify.ts'
import { PasskeyNameForm } from './passkey-name-form.tsx'

/** Asks for another name of a passkey. */
export function PasskeyRename({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const renaming = useMutation({
    mutationFn: (name: string) => renamePasskey(passkey.id, name),
    onSuccess: async () => {
      onClose()
      notify(t('passkey.renamed'))
      await client.invalidateQueries({ queryKey: queryKeys.passkeys })
    },
  })
  return (
    <Dialog title={t('passkey.renameThis', { name: passkey.name })} opened onClose={onClose}>
      <PasskeyNameForm
        name={passkey.name}
        onSubmit={(name) => renaming.mutate(name)}
        submitting={renaming}
        submitLabel={t('passkey.renameSubmit')}
        onCancel={onClose}
      />
    </Dialog>
  )
}
