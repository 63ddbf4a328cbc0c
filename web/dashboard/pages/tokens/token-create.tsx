import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AppTokenCreate } from '../../../../src/tracks/schemas/tokens.ts'
import { type AppToken, createToken, type ShownAppToken } from '../../api/events.ts'
import { PersonalLifetime } from '../../events/personal-lifetime.tsx'
import { LifetimeSelect, tokenLifetime } from '../../forms/lifetime-select.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'

type Permission = AppToken['permissions'][number]

/** In the order of the checkboxes. */
const PERMISSIONS: readonly Permission[] = ['record', 'read', 'manage']

type TokenCreateProps = { eventId: string; onCreated(token: ShownAppToken): unknown; onCancel(): void }
type Fields = { label: string; userId: string; permissions: Permission[]; lifetime: string }

/** Adds a token to those that the event has. */
export function TokenCreate({ eventId, onCreated, onCancel }: TokenCreateProps) {
  const { t } = useTranslation()
  const initialValues: Fields = { label: '', userId: '', permissions: ['record', 'read'], lifetime: '' }
  const form = useForm<Fields>({
    initialValues,
    validate: { permissions: (chosen) => (chosen.length === 0 ? t('tokens.permissionMissing') : null) },
  })
  const creating = useMutation({
    mutationFn: (fields: Fields) => createToken(eventId, bodyOf(fields)),
    onSuccess: onCreated,
  })
  const { values, setFieldValue } = form
  const setLifetime = (value: string) => setFieldValue('lifetime', value)
  const isParticipant = values.userId.trim() !== ''
  return (
    <SubmitForm
      onSubmit={form.onSubmit((fields) => creating.mutate(fields))}
      submitting={creating}
      submitLabel={t('tokens.createSubmit')}
      onCancel={onCancel}
    >
      <TextInput
        label={t('tokens.label')}
        description={t('tokens.labelHelp')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('label')}
      />
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
        value={isParticipant ? values.permissions.filter((one) => one !== 'manage') : values.permissions}
        onChange={(chosen) => setFieldValue('permissions', chosen as Permission[])}
        error={form.errors.permissions}
      >
        <Stack gap="xs" mt="xs">
          {PERMISSIONS.map((permission) => (
            <Checkbox
              key={permission}
              value={permission}
              label={t(`tokens.permission.${permission}`)}
              description={t(`tokens.permissionHelp.${permission}`)}
              disabled={permission === 'manage' && isParticipant}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {isParticipant ? (
        <PersonalLifetime eventId={eventId} value={values.lifetime} onChange={setLifetime} />
      ) : (
        <LifetimeSelect value={values.lifetime} onChange={setLifetime} />
      )}
    </SubmitForm>
  )
}

function bodyOf({ label, userId, permissions, lifetime }: Fields): AppTokenCreate {
  const person = userId.trim()
  return {
    label: label.trim() === '' ? null : label.trim(),
    user_id: person === '' ? null : person,
    permissions: permissions.filter((permission) => person === '' || permission !== 'manage'),
    ...tokenLifetime(lifetime),
  }
}
