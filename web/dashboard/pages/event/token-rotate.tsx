import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { rotateTokens, type ShownAppToken } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'
import { OVERLAPS } from '../../forms/overlaps.ts'

type TokenRotateProps = { eventId: string; onRotated(token: ShownAppToken): void; onCancel(): void }

/** A new token in the place of all others, which may live on while phones change over. */
export function TokenRotate({ eventId, onRotated, onCancel }: TokenRotateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues: { keepSec: '86400' } })
  const rotating = useMutation({
    mutationFn: (keepSec: number) => rotateTokens(eventId, { keep_sec: keepSec }),
    onSuccess: async (token) => {
      onRotated(token)
      await client.invalidateQueries({ queryKey: queryKeys.tokens(eventId) })
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ keepSec }) => rotating.mutate(Number(keepSec)))}>
      <Stack>
        <Text>{t('tokens.rotateHelp')}</Text>
        <NativeSelect
          label={t('tokens.keep')}
          data={OVERLAPS.map(({ sec, key }) => ({ value: String(sec), label: t(key) }))}
          key={form.key('keepSec')}
          {...form.getInputProps('keepSec')}
        />
        {rotating.isError && <Failure error={rotating.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={rotating.isPending}>
            {t('tokens.rotateSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
