/** The members of the response to `POST /tracks/:id/finish` that the report shows. */
export type FinishedTrack = {
  id: string
  title: string
  points_count: number
  stats: {
    distance_meters: number
    duration_sec: number
    moving_time_sec?: number
    elevation_gain_m: number
    elevation_loss_m?: number
    mean_speed_mps: number
    pace_sec_per_km: number
    max_speed_mps?: number
    max_altitude_m?: number
    min_altitude_m?: number
  }
}
