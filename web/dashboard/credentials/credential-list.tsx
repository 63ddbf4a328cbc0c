import { Badge, Button, Checkbox, Code, Group, Radio, Stack, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { credentialAnswers } from '../api/query-client.ts'
import { Ago } from '../components/ago.tsx'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { ResourceForm, textOrNull } from '../components/forms.tsx'
import { RowButton } from '../components/lists.tsx'
import { useFormat } from '../i18n/format.ts'
import {
  type Credential,
  type CredentialOwner,
  createCredential,
  type Permission,
  revokeCredential,
  type ShownCredential,
  shownCredentialQuery,
} from './credential-requests.ts'
import { ShownHandover } from './handover.tsx'
import { LifetimeSelect, PersonalLifetime, tokenLifetime } from './lifetime.tsx'

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

type Fields = { label: string; userId: string; permissions: Permission[]; lifetime: string }
type FieldsProps = { form: UseFormReturnType<Fields> }

type CredentialFormProps = {
  owner: CredentialOwner
  onCreated(credential: ShownCredential): unknown
  onCancel(): void
}

/** Adds an app token to an event, or an API key to a workspace. */
function CredentialForm({ owner, onCreated, onCancel }: CredentialFormProps) {
  const { t } = useTranslation()
  const { kind } = owner
  const isToken = kind === 'tokens'
  const form = useForm<Fields>({
    initialValues: { label: '', userId: '', permissions: isToken ? ['record', 'read'] : ['read'], lifetime: '' },
    validate: { permissions: (chosen) => (chosen.length === 0 ? t('tokens.permissionMissing') : null) },
  })
  const { lifetime, userId } = form.values
  const ends = { value: lifetime, onChange: (value: string) => form.setFieldValue('lifetime', value) }
  return (
    <ResourceForm
      form={form}
      save={(fields) => createCredential(owner, isToken ? tokenOf(fields) : keyOf(fields))}
      onSaved={onCreated}
      submitLabel={t(`${kind}.createSubmit`)}
      onCancel={onCancel}
    >
      <TextInput
        label={t('tokens.label')}
        description={t(`${kind}.labelHelp`)}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('label')}
      />
      {isToken ? <TokenFields form={form} /> : <KeyFields form={form} />}
      {userId.trim() === '' ? <LifetimeSelect {...ends} /> : <PersonalLifetime eventId={owner.id} {...ends} />}
    </ResourceForm>
  )
}

/** The person of an app token and its permissions, which are fewer for a person. */
function TokenFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  const { userId, permissions } = form.values
  const isPersonal = userId.trim() !== ''
  return (
    <>
      <TextInput
        label={t('tokens.person')}
        description={t('tokens.personHelp')}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('userId')}
      />
      <Checkbox.Group
        label={t('tokens.permissions')}
        value={isPersonal ? permissions.filter(isForOne) : permissions}
        onChange={(chosen) => form.setFieldValue('permissions', chosen as Permission[])}
        error={form.errors.permissions}
      >
        <Stack gap="xs" mt="xs">
          {(['record', 'read', 'manage'] as const).map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={t(`tokens.permission.${permission}`)}
              description={t(`tokens.permissionHelp.${permission}`)}
              disabled={isPersonal && !isForOne(permission)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  )
}

/** Permissions of an API key: publishing includes reading. */
function KeyFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <Radio.Group
      label={t('tokens.permissions')}
      value={form.values.permissions[0]}
      onChange={(chosen) => form.setFieldValue('permissions', chosen === 'publish' ? ['publish', 'read'] : ['read'])}
    >
      <Stack gap="xs" mt="xs">
        {(['read', 'publish'] as const).map((permission) => (
          <Radio
            key={permission}
            value={permission}
            label={t(`tokens.permission.${permission}`)}
            description={t(`keys.permissionHelp.${permission}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function isForOne(permission: Permission): boolean {
  return permission !== 'manage'
}

function tokenOf({ label, userId, permissions, lifetime }: Fields) {
  const person = textOrNull(userId)
  return {
    label: textOrNull(label),
    user_id: person,
    permissions: person === null ? permissions : permissions.filter(isForOne),
    ...tokenLifetime(lifetime),
  }
}

function keyOf({ label, permissions, lifetime }: Fields) {
  return { label: textOrNull(label), permissions, ...tokenLifetime(lifetime) }
}
