import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { queryKeys } from '../api/query-keys.ts'
import { signOut } from '../api/session.ts'
import { useNotifyError } from '../feedback/notify.ts'
import { importQueue } from '../imports/import-queue.ts'
import { paths } from '../navigation/paths.ts'
import { uploadQueue } from '../uploads/upload-queue.ts'

/** Ends the session and clears everything that was loaded. */
export function useSignOut() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const notifyError = useNotifyError()
  return useMutation({
    mutationFn: signOut,
    onError: notifyError,
    onSuccess: async () => {
      uploadQueue.clear()
      importQueue.clear()
      await navigate({ to: paths.signIn })
      client.clear()
      client.setQueryData(queryKeys.session, null)
    },
  })
}
