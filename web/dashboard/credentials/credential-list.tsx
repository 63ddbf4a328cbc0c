import { Badge, Button, Code, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { credentialAnswers } from '../api/query-client.ts'
import { Ago } from '../components/ago.tsx'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { useFormat } from '../i18n/format.ts'
import { CredentialForm } from './credential-form.tsx'
import {
  type Credential,
  type CredentialOwner,
  revokeCredential,
  type ShownCredential,
  shownCredentialQuery,
} from './credential-requests.ts'
import { ShownHandover } from './handover.tsx'

/** Returns the columns of a list of app tokens or API keys, by name. */
export function useCredentialColumns(owner: CredentialOwner, isOnly = false) {
  const { t } = useTranslation()
  const format = useFormat()
  return {
    secret: {
      head: t(`${owner.kind}.one`),
      cell: ({ masked }: Credential) => (masked === null ? '–' : <Code>{masked}</Code>),
    },
    label: {
      head: t('tokens.label'),
      cell: ({ label, is_first }: Credential) => label ?? (is_first ? t('tokens.first') : '–'),
    },
    permissions: {
      head: t('tokens.permissions'),
      cell: ({ permissions }: Credential) => (
        <Group gap={4}>
          {permissions.map((permission) => (
            <Badge key={permission} variant="default" tt="none">
              {t(`tokens.permission.${permission}`)}
            </Badge>
          ))}
        </Group>
      ),
    },
    created: { head: t('field.created'), cell: ({ created_at }: Credential) => format.date(created_at) },
    lastUsed: {
      head: t('tokens.lastUsed'),
      cell: ({ last_used_at: time }: Credential) => (time === null ? t('tokens.never') : <Ago time={time} />),
    },
    expires: {
      head: t('field.expires'),
      cell: ({ expires_at: time }: Credential) => (time === null ? '–' : format.dateTime(time)),
    },
    actions: {
      head: t('table.actions'),
      isBare: true,
      cell: (credential: Credential) => <CredentialActions owner={owner} credential={credential} isOnly={isOnly} />,
    },
  }
}

type CredentialActionsProps = {
  owner: CredentialOwner
  credential: Credential
  /** Set for the last token with which apps can send to the event. */
  isOnly: boolean
}

/** Shows a credential, and revokes it. */
function CredentialActions({ owner, credential, isOnly }: CredentialActionsProps) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'show' | 'revoke'>()
  const close = () => setDialog(undefined)
  const { kind } = owner
  const person = 'user_id' in credential ? credential.user_id : null
  const name = credential.label ?? person ?? credential.masked ?? ''
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <RowButton onClick={() => setDialog('show')} aria-label={t(`${kind}.showThis`, { name })}>
          {t('tokens.show')}
        </RowButton>
        <RowButton onClick={() => setDialog('revoke')} aria-label={t(`${kind}.revokeThis`, { name })}>
          {t('tokens.revoke')}
        </RowButton>
      </Group>
      <Dialog title={name} opened={dialog === 'show'} onClose={close} size="xl">
        <FetchedCredential owner={owner} credentialId={credential.id} />
      </Dialog>
      <ConfirmDialog
        opened={dialog === 'revoke'}
        onClose={close}
        action={() => revokeCredential(owner, credential.id)}
        doneMessage={t(`${kind}.revoked`)}
        changes={[credentialAnswers(owner.id)]}
        title={t(`${kind}.revokeThis`, { name })}
        confirmLabel={t('tokens.revoke')}
      >
        {t(`${kind}.revokeHelp`)} {isOnly && t('tokens.revokeLast')}
      </ConfirmDialog>
    </>
  )
}

function FetchedCredential({ owner, credentialId }: { owner: CredentialOwner; credentialId: string }) {
  const query = useQuery(shownCredentialQuery(owner, credentialId))
  return <Loaded query={query}>{(shown) => <ShownHandover shown={shown} />}</Loaded>
}

/** Adds a credential, and then shows it. */
export function CredentialAdd({ owner }: { owner: CredentialOwner }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'create' | ShownCredential>()
  const close = () => setDialog(undefined)
  const show = async (shown: ShownCredential) => {
    setDialog(shown)
    await client.invalidateQueries(credentialAnswers(owner.id))
  }
  return (
    <>
      <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
        {t(`${owner.kind}.create`)}
      </Button>
      <Dialog title={t(`${owner.kind}.create`)} opened={dialog === 'create'} onClose={close}>
        <CredentialForm owner={owner} onCreated={show} onCancel={close} />
      </Dialog>
      <NewCredential owner={owner} shown={typeof dialog === 'object' ? dialog : undefined} onClose={close} />
    </>
  )
}

type NewCredentialProps = { owner: CredentialOwner; shown: ShownCredential | undefined; onClose(): void }

/** The dialog with a credential that was just made. */
export function NewCredential({ owner, shown, onClose }: NewCredentialProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t(`${owner.kind}.new`)} opened={shown !== undefined} onClose={onClose} size="xl">
      {shown !== undefined && <ShownHandover shown={shown} />}
    </Dialog>
  )
}
