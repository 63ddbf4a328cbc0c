import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deletePasskey, type Passkey, passkeysQuery, signInMethodsQuery } from '../api/passkeys.ts'
import { Ago } from '../components/ago.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'
import { useFormat } from '../i18n/format.ts'
import { AccountList, AccountPanel, AccountRow } from './account-panel.tsx'
import { PasskeyAdd } from './passkey-add.tsx'
import { PasskeyRename } from './passkey-rename.tsx'
import { RecoveryCodesView } from './recovery-codes-view.tsx'
import { useFactorRemoval } from './use-factor-removal.ts'

type OpenDialog = 'add' | { renaming: Passkey } | { removing: Passkey } | { codes: string[] } | undefined

/** The passkeys of the signed-in operator. */
export function PasskeysPanel() {
  const { t } = useTranslation()
  const passkeys = useQuery(passkeysQuery)
  const methods = useQuery(signInMethodsQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const renaming = typeof dialog === 'object' && 'renaming' in dialog ? dialog.renaming : undefined
  const removing = typeof dialog === 'object' && 'removing' in dialog ? dialog.removing : undefined
  const codes = typeof dialog === 'object' && 'codes' in dialog ? dialog.codes : undefined
  const isPossible = methods.data?.passkeys === true && 'PublicKeyCredential' in window
  return (
    <AccountPanel
      title={t('passkey.title')}
      explanation={t(methods.data === undefined || isPossible ? 'passkey.help' : 'passkey.unavailable')}
    >
      <Loaded query={passkeys}>{(list) => <Passkeys passkeys={list} onOpen={setDialog} />}</Loaded>
      {isPossible && (
        <Button size="xs" mt={passkeys.data?.length ? 'md' : undefined} onClick={() => setDialog('add')}>
          {t('passkey.add')}
        </Button>
      )}
      <Dialog title={t('passkey.add')} opened={dialog === 'add'} onClose={close}>
        <PasskeyAdd onAdded={(made) => setDialog(made === null ? undefined : { codes: made })} onCancel={close} />
      </Dialog>
      {renaming !== undefined && <PasskeyRename passkey={renaming} onClose={close} />}
      {removing !== undefined && <PasskeyRemove passkey={removing} onClose={close} />}
      <Dialog title={t('security.codes')} opened={codes !== undefined} onClose={close}>
        {codes !== undefined && <RecoveryCodesView codes={codes} onDone={close} />}
      </Dialog>
    </AccountPanel>
  )
}

type PasskeysProps = { passkeys: readonly Passkey[]; onOpen(dialog: OpenDialog): void }

function Passkeys({ passkeys, onOpen }: PasskeysProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (passkeys.length === 0) return null
  return (
    <AccountList>
      {passkeys.map((passkey) => (
        <AccountRow
          key={passkey.id}
          icon={Fingerprint}
          name={passkey.name}
          help={
            <>
              {t('passkey.since', { time: format.date(passkey.created_at) })}
              {' · '}
              {passkey.last_used_at === null ? (
                t('passkey.neverUsed')
              ) : (
                <>
                  {t('passkey.lastUsed')} <Ago time={passkey.last_used_at} />
                </>
              )}
            </>
          }
        >
          <Button
            size="xs"
            variant="default"
            onClick={() => onOpen({ renaming: passkey })}
            aria-label={t('passkey.renameThis', { name: passkey.name })}
          >
            {t('passkey.rename')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => onOpen({ removing: passkey })}
            aria-label={t('passkey.removeThis', { name: passkey.name })}
          >
            {t('passkey.remove')}
          </Button>
        </AccountRow>
      ))}
    </AccountList>
  )
}

function PasskeyRemove({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const { t } = useTranslation()
  const { removing, isRequired } = useFactorRemoval(() => deletePasskey(passkey.id), t('passkey.removed'), onClose)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => removing.mutate()}
      confirming={removing}
      title={t('passkey.removeThis', { name: passkey.name })}
      confirmLabel={t('passkey.remove')}
    >
      {t('passkey.removeHelp')} {isRequired && t('requiredFactor.removeHelp')}
    </ConfirmDialog>
  )
}
