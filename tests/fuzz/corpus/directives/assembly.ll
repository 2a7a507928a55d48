; headway: grid 1,2,3 expect safe
