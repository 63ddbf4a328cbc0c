import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { factorAnswers } from '../api/query-client.ts'
import { createPasskey, signInMethodsQuery } from '../api/session.ts'
import { Ago } from '../components/ago.tsx'
import { Dialog } from '../components/dialogs.tsx'
import { Loaded, notify } from '../components/feedback.tsx'
import { NameInput, nameRule, ResourceForm } from '../components/forms.tsx'
import { RowButton } from '../components/lists.tsx'
import { Panel } from '../components/panel.tsx'
import { listPasskeysOptions, listPasskeysQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { deletePasskey, updatePasskey } from '../generated/sdk.gen.ts'
import type { Passkey } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { AccountList, AccountRow, FactorRemove, RecoveryCodesView } from './account-panel.tsx'
import { PasskeyFailed } from './other-ways.tsx'

type OpenDialog = 'add' | { renaming: Passkey } | { removing: Passkey } | { codes: string[] } | undefined

/** The passkeys of the signed-in operator. */
export function PasskeysPanel() {
  const { t } = useTranslation()
  const passkeys = useQuery({ ...listPasskeysOptions(), select: ({ passkeys }) => passkeys })
  const methods = useQuery(signInMethodsQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const renaming = typeof dialog === 'object' && 'renaming' in dialog ? dialog.renaming : undefined
  const removing = typeof dialog === 'object' && 'removing' in dialog ? dialog.removing : undefined
  const codes = typeof dialog === 'object' && 'codes' in dialog ? dialog.codes : undefined
  const isPossible = methods.data?.passkeys === true && 'PublicKeyCredential' in window
  return (
    <Panel
      title={t('passkey.title')}
      help={t(methods.data === undefined || isPossible ? 'passkey.help' : 'passkey.unavailable')}
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
      {removing !== undefined && (
        <FactorRemove
          action={() => deletePasskey({ path: { id: removing.id } })}
          title={t('passkey.removeThis', { name: removing.name })}
          confirmLabel={t('passkey.remove')}
          doneMessage={t('passkey.removed')}
          help={(isRequired) => `${t('passkey.removeHelp')} ${isRequired ? t('requiredFactor.removeHelp') : ''}`}
          onClose={close}
        />
      )}
      <Dialog title={t('security.codes')} opened={codes !== undefined} onClose={close}>
        {codes !== undefined && <RecoveryCodesView codes={codes} onDone={close} />}
      </Dialog>
    </Panel>
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
          <RowButton
            onClick={() => onOpen({ renaming: passkey })}
            aria-label={t('passkey.renameThis', { name: passkey.name })}
          >
            {t('passkey.rename')}
          </RowButton>
          <RowButton
            onClick={() => onOpen({ removing: passkey })}
            aria-label={t('passkey.removeThis', { name: passkey.name })}
          >
            {t('passkey.remove')}
          </RowButton>
        </AccountRow>
      ))}
    </AccountList>
  )
}

/** Asks for the name of a new passkey, and lets the browser create it. */
function PasskeyAdd({ onAdded, onCancel }: { onAdded(codes: string[] | null): void; onCancel(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return (
    <PasskeyNameForm
      name=""
      save={createPasskey}
      onSaved={async ({ recovery_codes }) => {
        notify(t('passkey.added'))
        onAdded(recovery_codes)
        await client.invalidateQueries(factorAnswers())
      }}
      submitLabel={t('passkey.create')}
      onCancel={onCancel}
      describe={(error) => <PasskeyFailed error={error} />}
    />
  )
}

/** Asks for another name of a passkey. */
function PasskeyRename({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return (
    <Dialog title={t('passkey.renameThis', { name: passkey.name })} opened onClose={onClose}>
      <PasskeyNameForm
        name={passkey.name}
        save={(name) => updatePasskey({ path: { id: passkey.id }, body: { name } })}
        onSaved={async () => {
          onClose()
          notify(t('passkey.renamed'))
          await client.invalidateQueries({ queryKey: listPasskeysQueryKey() })
        }}
        submitLabel={t('passkey.renameSubmit')}
        onCancel={onClose}
      />
    </Dialog>
  )
}

type PasskeyNameFormProps<Saved> = {
  /** Name at the beginning. */
  name: string
  save(name: string): Promise<Saved>
  onSaved(saved: Saved): unknown
  submitLabel: string
  onCancel(): void
  describe?(error: unknown): ReactNode
}

/** Asks for the name of a passkey. */
function PasskeyNameForm<Saved>({ name, save, ...rest }: PasskeyNameFormProps<Saved>) {
  const { t } = useTranslation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name },
    validate: { name: nameRule(t) },
  })
  return (
    <ResourceForm form={form} save={(given) => save(given.name.trim())} {...rest}>
      <NameInput
        form={form}
        label={t('passkey.name')}
        description={t('passkey.nameHelp')}
        maxLength={100}
        data-autofocus
      />
    </ResourceForm>
  )
}
