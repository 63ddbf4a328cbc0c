import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { hasStatus } from '../../api/api-error.ts'
import { createOperator, type SignInLink } from '../../api/operators.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'

type OperatorCreateProps = { onCreated(name: string, link: SignInLink): void; onCancel(): void }

/** A further operator, who sets a password by the link that is shown next. */
export function OperatorCreate({ onCreated, onCancel }: OperatorCreateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t('operators.nameMissing') : null) },
  })
  const creating = useMutation({
    mutationFn: (name: string) => createOperator({ name }),
    onSuccess: async ({ name, sign_in_link: link }) => {
      onCreated(name, link)
      await client.invalidateQueries({ queryKey: queryKeys.operators })
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ name }) => creating.mutate(name.trim()))} noValidate>
      <Stack>
        <Text size="sm">{t('operators.newHelp')}</Text>
        <TextInput
          label={t('operators.name')}
          required
          maxLength={100}
          autoComplete="off"
          data-autofocus
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        {creating.isError &&
          (hasStatus(creating.error, 409) ? (
            <FormAlert>{t('operators.nameTaken')}</FormAlert>
          ) : (
            <Failure error={creating.error} />
          ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={creating.isPending}>
            {t('operators.createSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
