import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { shownTokenQuery } from '../api/queries.ts'
import { credentialAnswers } from '../api/query-client.ts'
import { FormAlert, Loaded } from '../components/feedback.tsx'
import { SubmitForm } from '../components/forms.tsx'
import { operatorListTokensOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateToken } from '../generated/sdk.gen.ts'
import type { AppToken, ShownAppToken } from '../generated/types.gen.ts'
import { phoneTokens } from './phone-apps.ts'

type PhoneTokenChoiceProps = { eventId: string; children(token: ShownAppToken & { token: string }): ReactNode }

/** Lets people choose one of the tokens that phones may carry, says whose it is, and offers to make the first one. */
export function PhoneTokenChoice({ eventId, children }: PhoneTokenChoiceProps) {
  const { t } = useTranslation()
  const query = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
  const [chosenId, setChosenId] = useState<string>()
  return (
    <Loaded query={query}>
      {(list) => {
        const tokens = phoneTokens(list)
        const token = tokens.find(({ id }) => id === chosenId) ?? tokens[0]
        if (token === undefined) return <PhoneTokenCreate eventId={eventId} onCreated={setChosenId} />
        return (
          <Stack>
            <NativeSelect
              label={t('phones.token')}
              description={t(token.user_id === null ? 'phones.tokenOfAll' : 'phones.tokenOfOne', {
                user: token.user_id ?? '',
              })}
              maw={480}
              value={token.id}
              onChange={(change) => setChosenId(change.currentTarget.value)}
              data={tokens.map((one) => ({ value: one.id, label: nameOf(one, t('phones.everyone')) }))}
            />
            <PlainToken key={token.id} eventId={eventId} tokenId={token.id}>
              {children}
            </PlainToken>
          </Stack>
        )
      }}
    </Loaded>
  )
}

function nameOf({ label, masked, user_id }: AppToken, everyone: string): string {
  return [user_id ?? everyone, label === user_id ? null : label, masked].filter((part) => part !== null).join(' · ')
}

type PhoneTokenCreateProps = { eventId: string; onCreated(id: string): void }

/** Makes a token that only records: for the phone of one person, or one for all phones. */
function PhoneTokenCreate({ eventId, onCreated }: PhoneTokenCreateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    initialValues: { person: '' },
    validate: { person: (text) => (text.trim() === '' ? t('phones.personMissing') : null) },
  })
  const creating = useMutation({
    mutationFn: (person: string | null) =>
      operatorCreateToken({
        path: { id: eventId },
        body: {
          permissions: ['record'],
          user_id: person,
          label: person ?? t('phones.allPhones'),
        },
      }),
    onSuccess: async ({ id }) => {
      onCreated(id)
      await client.invalidateQueries(credentialAnswers(eventId))
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

type PlainTokenProps = {
  eventId: string
  tokenId: string
  children(token: ShownAppToken & { token: string }): ReactNode
}

/** Fetches a token in plain text, which not all have. */
export function PlainToken({ eventId, tokenId, children }: PlainTokenProps) {
  const { t } = useTranslation()
  const query = useQuery(shownTokenQuery(eventId, tokenId))
  return (
    <Loaded query={query}>
      {(shown) =>
        shown.token === null ? (
          <FormAlert>{t('tokens.cannotShow')}</FormAlert>
        ) : (
          children({ ...shown, token: shown.token })
        )
      }
    </Loaded>
  )
}
