import { Badge, Button, Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { QrCode as QrIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { revokeShare, type Share, shareLinksQuery, shareName } from '../../api/shares.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ShareAddress } from '../../events/share-address.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useFormat } from '../../i18n/format.ts'
import { shareState } from './share-state.ts'

const COLOURS = { open: 'teal.9', expired: 'gray.7', revoked: 'red.9' } as const

/** One share link with its state and its actions. */
export function ShareCard({ eventId, share, nowMs }: { eventId: string; share: Share; nowMs: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const state = shareState(share, nowMs)
  const name = shareName(share) ?? t('shares.unlabelled')
  return (
    <Paper component="li" withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between" align="flex-start">
        <Stack gap={6} flex="1 1 320px" miw={0}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Badge variant="filled" color={COLOURS[state]}>
              {t(`shares.${state}`)}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {share.track_id === null
              ? t('shares.showsEvent')
              : t('shares.showsTrack', { title: share.track_title ?? '' })}
            {' · '}
            {share.expires_at === null
              ? t('shares.noEnd')
              : t('shares.until', { time: format.dateTime(share.expires_at) })}
          </Text>
          {state === 'open' && share.masked !== null && <Code style={{ alignSelf: 'flex-start' }}>{share.masked}</Code>}
        </Stack>
        {state === 'open' && (
          <Group gap="xs">
            {share.masked !== null && <Ways eventId={eventId} shareId={share.id} name={name} />}
            <Revoke eventId={eventId} share={share} name={name} />
          </Group>
        )}
      </Group>
    </Paper>
  )
}

type WaysProps = { eventId: string; shareId: string; name: string }

/** Opens the link with its QR code and embed code. */
function Ways({ eventId, shareId, name }: WaysProps) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<QrIcon size={16} aria-hidden />}
        onClick={open}
        aria-label={t('shares.waysOf', { name })}
      >
        {t('shares.ways')}
      </Button>
      <Dialog title={name} opened={opened} onClose={close} size="lg">
        <ShownLink eventId={eventId} shareId={shareId} name={name} />
      </Dialog>
    </>
  )
}

function ShownLink({ eventId, shareId, name }: WaysProps) {
  const query = useQuery(shareLinksQuery(eventId))
  return (
    <Loaded query={query}>
      {(shares) => {
        const { url } = shares.find(({ id }) => id === shareId) ?? {}
        return typeof url === 'string' && <ShareAddress url={url} name={name} />
      }}
    </Loaded>
  )
}

function Revoke({ eventId, share, name }: { eventId: string; share: Share; name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  const revoking = useMutation({
    mutationFn: () => revokeShare(share.id),
    onSuccess: async () => {
      close()
      notify(t('shares.revokedNow'))
      await client.invalidateQueries({ queryKey: queryKeys.shares(eventId) })
    },
  })
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-label={t('shares.revokeThis', { name })}>
        {t('shares.revoke')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onConfirm={() => revoking.mutate()}
        confirming={revoking}
        title={t('shares.revokeThis', { name })}
        confirmLabel={t('shares.revoke')}
      >
        {t('shares.revokeHelp')}
      </ConfirmDialog>
    </>
  )
}
