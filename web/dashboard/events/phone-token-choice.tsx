import { NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AppToken, type ShownAppToken, tokensQuery } from '../api/events.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { PhoneTokenCreate } from './phone-token-create.tsx'
import { phoneTokens } from './phone-tokens.ts'
import { PlainToken } from './plain-token.tsx'

type PhoneTokenChoiceProps = { eventId: string; children(token: ShownAppToken & { token: string }): ReactNode }

/** Lets people choose one of the tokens that phones may carry, says whose it is, and offers to make the first one. */
export function PhoneTokenChoice({ eventId, children }: PhoneTokenChoiceProps) {
  const { t } = useTranslation()
  const query = useQuery(tokensQuery(eventId))
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
