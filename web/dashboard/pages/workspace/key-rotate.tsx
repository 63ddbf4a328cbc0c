import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { rotateKey, type WorkspaceKey, workspaceKeyQuery } from '../../api/workspaces.ts'
import { Failure } from '../../feedback/failure.tsx'
import { OVERLAPS } from '../../forms/overlaps.ts'

type KeyRotateProps = { workspaceId: string; onRotated(key: WorkspaceKey): void; onCancel(): void }

/** A new key in the place of the one there is, which may live on while programs change over. */
export function KeyRotate({ workspaceId, onRotated, onCancel }: KeyRotateProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues: { keepSec: '86400' } })
  const rotating = useMutation({
    mutationFn: (keepSec: number) => rotateKey(workspaceId, keepSec),
    onSuccess: (key) => {
      client.setQueryData(workspaceKeyQuery(workspaceId).queryKey, key)
      onRotated(key)
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ keepSec }) => rotating.mutate(Number(keepSec)))}>
      <Stack>
        <Text>{t('key.rotateHelp')}</Text>
        <NativeSelect
          label={t('key.keep')}
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
            {t('key.rotateSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
