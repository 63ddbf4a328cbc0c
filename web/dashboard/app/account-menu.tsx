import { Button, Menu, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleUser, LogOut, Settings } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetEarly } from '../api/early-answers.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { useNotifyError } from '../components/feedback.tsx'
import { MenuLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { isUnderWay } from '../components/transfer-queue.ts'
import { getSessionQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { signOut } from '../generated/sdk.gen.ts'
import { uploadQueue } from '../library/upload-queue.ts'
import { importQueue } from '../tracks/import-queue.ts'

/** The signed-in operator's menu: account and sign-out. */
export function AccountMenu({ name }: { name: string }) {
  const { t } = useTranslation()
  const leave = useSignOut()
  const [isAsking, setAsking] = useState(false)
  const signOutOrAsk = () => (isTransferring() ? setAsking(true) : leave.mutate())
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" color="gray" px="xs" aria-label={t('nav.account', { name })}>
            <CircleUser size={20} aria-hidden />
            <Text span inherit truncate maw={160} ms={10} visibleFrom="sm" className="account-name">
              {name}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('nav.account', { name })}>
          <MenuLink to={paths.account} leftSection={<Settings size={16} aria-hidden />}>
            {t('account.title')}
          </MenuLink>
          <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={signOutOrAsk}>
            {t('account.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        action={() => leave.mutateAsync()}
        title={t('upload.leaveTitle')}
        confirmLabel={t('upload.leave')}
      >
        {t('upload.leaveHelp')}
      </ConfirmDialog>
    </>
  )
}

/** Tells whether signing out would interrupt files on their way. */
function isTransferring(): boolean {
  return uploadQueue.list().some(isUnderWay) || importQueue.list().some(isUnderWay)
}

/** Ends the session and clears everything that was loaded. */
export function useSignOut() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const notifyError = useNotifyError()
  return useMutation({
    mutationFn: () => signOut(),
    onError: notifyError,
    onSuccess: async () => {
      uploadQueue.clear()
      importQueue.clear()
      forgetEarly()
      await navigate({ to: paths.signIn })
      client.clear()
      client.setQueryData(getSessionQueryKey(), null)
    },
  })
}
