import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { createToken } from '../api/events.ts'
import { queryKeys } from '../api/query-keys.ts'
import { SubmitForm } from '../forms/submit-form.tsx'

type PhoneTokenCreateProps = { eventId: string; onCreated(id: string): void }

/** Makes a token that only records: for the phone of one person, or one for all phones. */
export function PhoneTokenCreate({ eventId, onCreated }: PhoneTokenCreateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    initialValues: { person: '' },
    validate: { person: (text) => (text.trim() === '' ? t('phones.personMissing') : null) },
  })
  const creating = useMutation({
    mutationFn: (person: string | null) =>
      createToken(eventId, {
        permissions: ['record'],
        user_id: person,
        label: person ?? t('phones.allPhones'),
      }),
    onSuccess: async ({ id }) => {
      onCreated(id)
      await client.invalidateQueries({ queryKey: queryKeys.tokens(eventId) })
    },
  })
  return (
    <Paper withBorder p="lg" maw={760} bg="var(--panel-background)">
      <Stack>
        <Title order={3} size="h4">
          {t('phones.noToken')}
        </Title>
        <Text size="sm">{t('phones.noTokenHelp')}</Text>
        <SubmitForm
          onSubmit={form.onSubmit(({ person }) => creating.mutate(person.trim()))}
          submitting={creating}
          submitLabel={t('phones.createForOne')}
          cancel={
            <Button variant="default" disabled={creating.isPending} onClick={() => creating.mutate(null)}>
              {t('phones.createForAll')}
            </Button>
          }
        >
          <Group>
            <TextInput
              label={t('phones.person')}
              description={t('phones.personHelp')}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              flex="1 1 280px"
              {...form.getInputProps('person')}
            />
          </Group>
        </SubmitForm>
      </Stack>
    </Paper>
  )
}
