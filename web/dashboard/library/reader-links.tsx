import { Button, Group, NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField, OpenButton } from '../components/copy-fields.tsx'
import { Loaded } from '../components/feedback.tsx'
import { SubmitForm } from '../components/forms.tsx'
import { Panel } from '../components/panel.tsx'
import {
  operatorListReaderLinksOptions,
  operatorListReaderLinksQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateReaderLink } from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { MIN_PASSWORD_LENGTH } from './publication-visibility.tsx'
import { LinkList } from './reader-link-list.tsx'

const DAY_SEC = 86_400
/** Days until a link ends; 0 for never. */
const LIFETIMES = [0, 1, 7, 30, 365] as const
/** Long enough for somebody to look at it, and short if it is passed on. */
const PREVIEW_KEEP_SEC = 7 * DAY_SEC

type NewLink = { name: string | null; keep_sec: number | null; preview: boolean; password: string | null }

/** The links that let their holders read a publication: created, shown once, listed and revoked. */
export function ReaderLinks({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { id } = publication
  const [name, setName] = useState('')
  const [days, setDays] = useState(0)
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const isShort = password !== '' && password.length < MIN_PASSWORD_LENGTH
  const links = useQuery({
    ...operatorListReaderLinksOptions({ path: { id } }),
    select: ({ links }) => links,
    refetchInterval: 60_000,
  })
  const refetch = () => client.invalidateQueries({ queryKey: operatorListReaderLinksQueryKey({ path: { id } }) })
  const creating = useMutation({
    mutationFn: (body: NewLink) => operatorCreateReaderLink({ path: { id }, body }),
    onSuccess: async () => {
      setName('')
      setPassword('')
      await refetch()
    },
  })
  return (
    <Panel title={t('links.title')} help={t('links.help')}>
      <Stack>
        <Loaded query={links}>
          {(list) => <LinkList links={list} publication={publication} onChange={refetch} />}
        </Loaded>
        {creating.data !== undefined && (
          <div role="status">
            <CopyField
              label={t(creating.data.preview ? 'links.newPreview' : 'links.new')}
              value={creating.data.url}
              actions={<OpenButton href={creating.data.url} />}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {t('links.once')}
            </Text>
          </div>
        )}
        <SubmitForm
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            const keep_sec = days === 0 ? null : days * DAY_SEC
            if (!isShort)
              creating.mutate({ name: name.trim() || null, keep_sec, preview: false, password: password || null })
          }}
          submitting={creating}
          submitLabel={t('links.create')}
          cancel={
            <Button
              variant="default"
              onClick={() => creating.mutate({ name: null, keep_sec: PREVIEW_KEEP_SEC, preview: true, password: null })}
            >
              {t('links.createPreview')}
            </Button>
          }
        >
          <Group grow align="flex-start">
            <TextInput
              label={t('links.name')}
              maxLength={200}
              autoComplete="off"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <NativeSelect
              label={t('links.ends')}
              value={String(days)}
              onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
              data={LIFETIMES.map((count) => ({
                value: String(count),
                label: count === 0 ? t('links.never') : t('links.afterDays', { count }),
              }))}
            />
          </Group>
          <LinkPassword value={password} isWrong={isTried && isShort} onChange={setPassword} />
        </SubmitForm>
      </Stack>
    </Panel>
  )
}

type LinkPasswordProps = { value: string; isWrong: boolean; onChange(password: string): void }

function LinkPassword({ value, isWrong, onChange }: LinkPasswordProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      label={t('links.password')}
      description={t('links.passwordHelp')}
      error={isWrong && t('visibility.passwordShort')}
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
      autoComplete="new-password"
      maxLength={200}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
