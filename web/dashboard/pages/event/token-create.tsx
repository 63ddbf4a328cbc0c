import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { createToken, type ShownAppToken } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'

type TokenCreateProps = { eventId: string; onCreated(token: ShownAppToken): void; onCancel(): void }

/** A further token, beside those there are. */
export function TokenCreate({ eventId, onCreated, onCancel }: TokenCreateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues: { label: '' } })
  const creating = useMutation({
    mutationFn: (label: string) => createToken(eventId, { label: label === '' ? null : label }),
    onSuccess: async (token) => {
      onCreated(token)
      await client.invalidateQueries({ queryKey: queryKeys.tokens(eventId) })
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ label }) => creating.mutate(label.trim()))}>
      <Stack>
        <TextInput
          label={t('tokens.label')}
          description={t('tokens.labelHelp')}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          key={form.key('label')}
          {...form.getInputProps('label')}
        />
        {creating.isError && <Failure error={creating.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={creating.isPending}>
            {t('tokens.createSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
