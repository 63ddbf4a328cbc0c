import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../api/query-keys.ts'
import { settingsQuery } from '../api/settings.ts'
import { notify } from '../feedback/notify.ts'

/**
 * Removes a second factor of the signed-in operator with `remove`, says so, and calls `onRemoved`. `isRequired` tells
 * whether an operator without any has to set one up again.
 */
export function useFactorRemoval(remove: () => Promise<void>, message: string, onRemoved: () => void) {
  const client = useQueryClient()
  const settings = useQuery(settingsQuery)
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      onRemoved()
      notify(message)
      // The session says whether a factor is missing.
      void client.invalidateQueries({ queryKey: queryKeys.session })
      await client.invalidateQueries({ queryKey: queryKeys.secondFactors })
    },
  })
  return { removing, isRequired: settings.data?.second_factor_required === true }
}
