import { Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { createKey, type ShownApiKey } from '../../api/workspaces.ts'
import { LifetimeSelect, lifetimeSec } from '../../forms/lifetime-select.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'

type KeyCreateProps = { workspaceId: string; onCreated(key: ShownApiKey): unknown; onCancel(): void }
type Fields = { label: string; permission: 'publish' | 'read'; lifetime: string }

/** Adds a key to those that the workspace has. */
export function KeyCreate({ workspaceId, onCreated, onCancel }: KeyCreateProps) {
  const { t } = useTranslation()
  const form = useForm<Fields>({ initialValues: { label: '', permission: 'read', lifetime: '' } })
  const creating = useMutation({
    mutationFn: ({ label, permission, lifetime }: Fields) =>
      createKey(workspaceId, {
        label: label.trim() === '' ? null : label.trim(),
        permissions: permission === 'publish' ? ['publish', 'read'] : ['read'],
        keep_sec: lifetimeSec(lifetime) ?? null,
      }),
    onSuccess: onCreated,
  })
  const { values, setFieldValue } = form
  return (
    <SubmitForm
      onSubmit={form.onSubmit((fields) => creating.mutate(fields))}
      submitting={creating}
      submitLabel={t('keys.createSubmit')}
      onCancel={onCancel}
    >
      <TextInput
        label={t('tokens.label')}
        description={t('keys.labelHelp')}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('label')}
      />
      <Radio.Group
        label={t('tokens.permissions')}
        value={values.permission}
        onChange={(chosen) => setFieldValue('permission', chosen as Fields['permission'])}
      >
        <Stack gap="xs" mt="xs">
          {(['read', 'publish'] as const).map((permission) => (
            <Radio
              key={permission}
              value={permission}
              label={t(`keys.permission.${permission}`)}
              description={t(`keys.permissionHelp.${permission}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <LifetimeSelect value={values.lifetime} onChange={(value) => setFieldValue('lifetime', value)} />
    </SubmitForm>
  )
}
