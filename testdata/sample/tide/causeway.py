import datetime


class Causeway:
    # Open for two hours on either side of low water.
    def is_open(self, time):
        for low in self.lows:
            if abs(time - low) < datetime.timedelta(hours=2):
                return True
        return False

    def next_opening(self, time):
        return min(low for low in self.lows if low > time)
