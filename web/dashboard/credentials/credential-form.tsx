import { Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ResourceForm, textOrNull } from '../components/forms.tsx'
import { type CredentialOwner, createCredential, type Permission, type ShownCredential } from './credential-requests.ts'
import { LifetimeSelect, PersonalLifetime, tokenLifetime } from './lifetime.tsx'

type Fields = { label: string; userId: string; permissions: Permission[]; lifetime: string }
type FieldsProps = { form: UseFormReturnType<Fields> }

type CredentialFormProps = {
  owner: CredentialOwner
  onCreated(credential: ShownCredential): unknown
  onCancel(): void
}

/** Adds an app token to an event, or an API key to a workspace. */
export function CredentialForm({ owner, onCreated, onCancel }: CredentialFormProps) {
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
